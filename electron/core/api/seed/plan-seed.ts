import type { SeedDevice, SeedFile, SeedWorld } from '#shared/operations/service/seed.ts';
import { newAccountId, type Chance } from '../../base/chance.ts';
import { badRequest } from '../../base/errors.ts';
import type { NewRow, Tables } from '../../store/metadata/metadata.ts';
import { createApiKey, createDeviceToken, hashSecret } from '../../vault/secrets.ts';
import { expiryOf } from '../api-keys.ts';
import type { Context } from '../context.ts';
import { ReadOnce } from '../sync/look.ts';
import { planRules } from './plan-rules.ts';

/** A world of a seed file: the account, if it is there, and where the file speaks of it (`accounts.0.`). */
export interface WorldToSeed {
  readonly account_id: string | null;
  readonly name: string;
  readonly content: SeedWorld;
  readonly at: string;
}

interface PlannedDevice {
  readonly row: NewRow<'devices'>;
  readonly token: string;
  readonly records: SeedDevice['records'];
  readonly at: string;
}

/** Rows that a seed file brings and that are not there yet. */
export interface SeedPlan {
  readonly accounts: NewRow<'accounts'>[];
  readonly projects: NewRow<'projects'>[];
  readonly devices: PlannedDevice[];
  readonly rules: NewRow<'functions'>[];
  readonly keys: { readonly row: NewRow<'api_keys'>; readonly text: string }[];
}

type Planner = Pick<Context, 'clock' | 'chance'>;

/** The worlds of a seed file. Throws a 400 Refusal where two have one name. */
export async function worldsOf(
  { accounts, ...rest }: SeedFile,
  tables: Tables,
  default_account_id: string,
): Promise<readonly WorldToSeed[]> {
  const there = new Map((await tables.list('accounts')).map(({ id, name }) => [name, id]));
  const main = (await tables.get('accounts', default_account_id))?.name ?? '';
  const worlds: WorldToSeed[] = [{ account_id: default_account_id, name: main, content: rest, at: '' }];
  for (const [i, { name, ...content }] of accounts.entries()) {
    const at = `accounts.${i}.`;
    if (worlds.some((other) => other.name === name))
      throw badRequest(
        `${at}name must be that of no other account of the file, nor "${main}", whose projects stand at its top, got "${name}"`,
      );
    worlds.push({ account_id: there.get(name) ?? null, name, content, at });
  }
  return worlds;
}

/**
 * Plans what of some worlds is not there: accounts, projects and devices by their id, else by their name in what they belong
 * to; keys by their text, else by their name. Throws a 400 Refusal that names the field.
 */
export async function planSeed(
  worlds: readonly WorldToSeed[],
  tables: Tables,
  context: Planner,
): Promise<SeedPlan> {
  const planner = new SeedPlanner(tables, context);
  for (const world of worlds) await planner.add(world);
  return planner.plan;
}

class SeedPlanner {
  readonly plan: SeedPlan = { accounts: [], projects: [], devices: [], rules: [], keys: [] };
  readonly #tables: Tables;
  readonly #context: Planner;
  /** Ids, hashes of tokens and texts of keys that the file names: each once. */
  readonly #named = new Set<string>();

  constructor(tables: Tables, context: Planner) {
    this.#tables = tables;
    this.#context = context;
  }

  async add({ account_id, name, content, at }: WorldToSeed): Promise<void> {
    const { chance, clock } = this.#context;
    const id = account_id ?? newAccountId(chance, name);
    if (account_id === null) this.plan.accounts.push({ id, name, created: clock.now() });
    const projects = new Map<string, string>();
    for (const project of await this.#tables.list('projects', { account_id: id }))
      projects.set(project.name, project.id);
    const once = new ReadOnce(this.#tables);
    const names = new Set<string>();
    for (const [i, project] of content.projects.entries()) {
      const where = `${at}projects.${i}.`;
      requireOnce(names, project.name, `${where}name`);
      const project_id = await this.#project(project, id, projects.get(project.name), once, where);
      projects.set(project.name, project_id);
      const inProject = new Set<string>();
      for (const [j, device] of project.devices.entries()) {
        requireOnce(inProject, device.name, `${where}devices.${j}.name`);
        await this.#device(device, project_id, { once, chance: chance.of(id) }, `${where}devices.${j}.`);
      }
      const devices = await this.#devicesOf(project_id);
      const of = { project_id, devices, chance: chance.of(id), clock, at: where };
      this.plan.rules.push(...(await planRules(project.rules, this.#tables, of)));
    }
    for (const [i, key] of content.keys.entries()) await this.#key(key, id, projects, `${at}keys.${i}.`);
  }

  /** Resolves with its id. */
  async #project(
    { id: given, name, description }: SeedWorld['projects'][number],
    account_id: string,
    named: string | undefined,
    once: ReadOnce,
    at: string,
  ): Promise<string> {
    if (given !== undefined) requireOnce(this.#named, given, `${at}id`);
    const there = given === undefined ? undefined : await this.#tables.get('projects', given);
    if (there && there.account_id !== account_id)
      throw badRequest(`${at}id must not be of a project of another account, got "${given}"`);
    const known = there?.id ?? (given === undefined ? named : undefined);
    if (known !== undefined) return known;
    if (given !== undefined) await requireNotDeleted(once, 'projects', given, at);
    const { chance, clock } = this.#context;
    const id = given ?? chance.of(account_id).uuid();
    this.plan.projects.push({ id, account_id, name, description, created: clock.now() });
    return id;
  }

  async #device(
    device: SeedDevice,
    project_id: string,
    { once, chance }: { readonly once: ReadOnce; readonly chance: Chance },
    at: string,
  ): Promise<void> {
    const { id: given, token: text, records, ...fields } = device;
    if (given !== undefined) requireOnce(this.#named, given, `${at}id`);
    if (text !== undefined) requireOnce(this.#named, `token ${text}`, `${at}token`);
    const there = given === undefined ? null : await this.#tables.get('devices', given);
    if (there && there.project_id !== project_id)
      throw badRequest(`${at}id must not be of a device of another project, got "${given}"`);
    const [named] = given === undefined ? await once.devicesNamed(device.name, project_id) : [];
    if (there ?? named) return;
    if (given !== undefined) await requireNotDeleted(once, 'devices', given, at);
    const { clock } = this.#context;
    const id = given ?? chance.uuid();
    const token = text ?? createDeviceToken(chance);
    const token_hash = hashSecret(token);
    if ((await this.#tables.deviceByTokenHash(token_hash)) ?? (await once.deletedWithToken(token_hash)))
      throw badRequest(`${at}token must be that of no other device, also of none that was deleted`);
    const row = { ...fields, id, project_id, avatar: null, token_hash, created: clock.now() };
    this.plan.devices.push({ row, token, records, at });
  }

  /** Resolves with the ids of a project's devices by their names, those that the file brings among them. */
  async #devicesOf(project_id: string): Promise<ReadonlyMap<string, string>> {
    const there = await this.#tables.list('devices', { project_id });
    const planned = this.plan.devices.flatMap(({ row }) => (row.project_id === project_id ? row : []));
    return new Map([...there, ...planned].map(({ name, id }) => [name, id]));
  }

  async #key(
    { name, key: given, permissions, projects, expires_at }: SeedWorld['keys'][number],
    account_id: string,
    known: ReadonlyMap<string, string>,
    at: string,
  ): Promise<void> {
    const { clock } = this.#context;
    const chance = this.#context.chance.of(account_id);
    const project_ids = projects?.map((project, i) => {
      const id = known.get(project);
      if (id === undefined)
        throw badRequest(`${at}projects.${i} must be the name of a project of its account, got "${project}"`);
      return id;
    });
    if (given !== undefined) requireOnce(this.#named, `key ${given}`, `${at}key`);
    const there = given === undefined ? null : await this.#tables.keyByHash(hashSecret(given));
    if (there && there.account_id !== account_id)
      throw badRequest(`${at}key must not be a key of another account`);
    const named = await this.#tables.list('api_keys', { account_id, role: 'user' });
    if (there ?? (given === undefined && named.some((key) => key.name === name))) return;
    const text = given ?? createApiKey(chance);
    const row = {
      id: chance.uuid(),
      account_id,
      name,
      permissions: [...new Set(permissions)],
      project_ids: project_ids ?? null,
      ...expiryOf(expires_at),
      hash: hashSecret(text),
      role: 'user',
      created: clock.now(),
    } as const;
    this.plan.keys.push({ row, text });
  }
}

/** Throws a 400 Refusal where something of the file was there before. */
function requireOnce(seen: Set<string>, value: string, field: string): void {
  if (seen.has(value)) throw badRequest(`${field} must be that of nothing else in its place of the file`);
  seen.add(value);
}

async function requireNotDeleted(
  once: ReadOnce,
  table: 'projects' | 'devices',
  id: string,
  at: string,
): Promise<void> {
  if (await once.deletedAt(table, id))
    throw badRequest(`${at}id must not be of what was deleted and can be undone, got "${id}"`);
}
