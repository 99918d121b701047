import { resolve } from 'node:path';
import type { SeedDevice } from '#shared/operations/service/seed.ts';
import { countOf } from '#shared/values/counts.ts';
import { badRequest, Refusal, StartError } from '../../base/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { piecesOf } from '../../disk/pieces.ts';
import { importRecords } from '../../import/import.ts';
import { RecordFault } from '../../ingest/record.ts';
import { toRecord } from '../../ingest/to-record.ts';
import { KeyLimitReached, keyLimitRefusal } from '../../store/store-errors.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import type { SecretRef } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import { requireRoomForNewDevices } from '../devices/most-devices.ts';
import { planSeed, worldsOf, type SeedPlan, type WorldToSeed } from './plan-seed.ts';
import type { Seed } from './read-seed.ts';

type Planter = Pick<
  Context,
  'metadata' | 'records' | 'vault' | 'clock' | 'chance' | 'config' | 'default_account_id'
>;

/** Makes what of a seed file is not there. Resolves with notes on it, for people to read. Rejects with StartError. */
export async function plantAtStart(context: Planter & Pick<Context, 'seedFile'>): Promise<readonly string[]> {
  const { seedFile: seed } = context;
  if (seed === null) return [];
  try {
    const worlds = await context.metadata.read((tables) =>
      worldsOf(seed.content, tables, context.default_account_id),
    );
    const plan = await plantSeed(worlds, seed.folder, context);
    const made = [
      [plan.accounts, 'account'],
      [plan.projects, 'project'],
      [plan.devices, 'device'],
      [plan.rules, 'rule'],
      [plan.keys, 'API key'],
    ] as const;
    const words = made.flatMap(([rows, what]) => (rows.length > 0 ? countOf(rows.length, what) : []));
    return words.length > 0 ? [`Of the seed file came ${words.join(', ')}.`] : [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new StartError('bad-flag', `--seed-file: ${error.message}. Nothing of it was made.`, {
      cause: error,
    });
  }
}

/** The same for one account. Rejects with a 400 Refusal where the seed file has none of its name. */
export async function plantAccount(seed: Seed, account_id: string, context: Planter): Promise<SeedPlan> {
  const worlds = await context.metadata.read((tables) =>
    worldsOf(seed.content, tables, context.default_account_id),
  );
  const world = worlds.filter((each) => each.account_id === account_id);
  if (world.length === 0)
    throw badRequest(
      `to must be "empty" for this account: the seed file has ${worlds.map(({ name }) => `"${name}"`).join(', ')}`,
    );
  return plantSeed(world, seed.folder, context);
}

/** Records first, as of devices that nobody knows; then all rows by one change: all of it is there, or nothing. */
async function plantSeed(
  worlds: readonly WorldToSeed[],
  folder: string,
  context: Planter,
): Promise<SeedPlan> {
  const { metadata, records, vault, config } = context;
  const plan = await metadata.read((tables) => planSeed(worlds, tables, context));
  const secrets = secretsOf(plan);
  try {
    for (const [ref, text] of secrets) await vault.set(ref, text);
    for (const device of plan.devices) {
      const { id } = device.row;
      await records.revive(id);
      // A start that was cut off may have left some.
      if (!(await records.isEmpty(id))) await records.drop(id);
      if (device.records !== undefined) await store(device.records, id, { at: device.at, folder, context });
    }
    await metadata.change((tables) => insertAll(plan, tables, config));
    return plan;
  } catch (error) {
    for (const { row } of plan.devices) await records.drop(row.id);
    for (const [ref] of secrets) await vault.delete(ref);
    throw error;
  }
}

function secretsOf({ devices, keys }: SeedPlan): readonly (readonly [SecretRef, string])[] {
  return [
    ...devices.map(
      ({ row: { id, project_id }, token }) =>
        [{ kind: 'device-token', project_id, device_id: id }, token] as const,
    ),
    ...keys.map(({ row: { id }, text }) => [{ kind: 'api-key', id }, text] as const),
  ];
}

async function insertAll(plan: SeedPlan, tables: WritableTables, config: Planter['config']): Promise<void> {
  for (const row of plan.accounts) await tables.insert('accounts', row);
  for (const row of plan.projects) await tables.insert('projects', row);
  const perProject = Map.groupBy(plan.devices, ({ row }) => row.project_id);
  for (const [project_id, devices] of perProject)
    await requireRoomForNewDevices(tables, project_id, devices.length, config);
  for (const { row } of plan.devices) await tables.insert('devices', row);
  for (const row of plan.rules) await tables.insert('functions', row);
  for (const { row } of plan.keys) await tables.insert('api_keys', row);
}

interface Place {
  /** Where the file speaks of the device: `projects.0.devices.1.`. */
  readonly at: string;
  readonly folder: string;
  readonly context: Planter;
}

/** Stores the records of a device: those in the seed file as if it had sent them, those of another file as an import. */
function store(given: NonNullable<SeedDevice['records']>, device: string, place: Place): Promise<void> {
  return Array.isArray(given) ? append(given, device, place) : importFile(given, device, place);
}

async function append(
  given: readonly Readonly<Record<string, unknown>>[],
  device: string,
  { at, context: { records, clock } }: Place,
): Promise<void> {
  if (given.length === 0) return;
  const received = clock.now();
  const sent = given.map((value, i) => {
    try {
      return toRecord(value, received);
    } catch (error) {
      if (!(error instanceof RecordFault)) throw error;
      throw badRequest(`${at}records.${i} ${error.message}`);
    }
  });
  try {
    await records.append(device, sent);
  } catch (error) {
    if (!(error instanceof KeyLimitReached)) throw error;
    throw badRequest(`${at}records, ${keyLimitRefusal(error).message}`);
  }
}

async function importFile(
  { file, ...settings }: Exclude<NonNullable<SeedDevice['records']>, readonly unknown[]>,
  device: string,
  { at, folder, context: { records, clock } }: Place,
): Promise<void> {
  const path = resolve(folder, file);
  try {
    nodeFiles.openForReading(path).close();
  } catch (error) {
    throw badRequest(`${at}records.file must be a file that can be read: ${(error as Error).message}`);
  }
  const body = { bytes: piecesOf(nodeFiles, path), size: null, type: null };
  const { signal } = new AbortController();
  try {
    await importRecords({ body, settings, records, device, clock, progress: () => {}, signal });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw badRequest(`${at}records.file ${path}: ${error.message}`);
  }
}
