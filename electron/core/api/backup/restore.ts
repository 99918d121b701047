import type { Restored } from '#shared/operations/service/backup.ts';
import { quote } from '#shared/values/validate.ts';
import {
  blocksOf,
  deviceState,
  ROWS,
  SECRETS,
  stateOf,
  type BackupManifest,
} from '../../backup/backup-format.ts';
import { EVERYTHING, isOf, readRows, type BackupRow, type BackupScope } from '../../backup/backup-rows.ts';
import {
  MOST_SECRETS_BYTES,
  MOST_STATE_BYTES,
  parsedAs,
  parsedOr,
  readBackup,
  textOf,
  type FoundBackup,
} from '../../backup/read-backup.ts';
import { openSecrets, type BackupSecret } from '../../backup/sealed-secrets.ts';
import { skip, type FoundMember } from '../../backup/tar.ts';
import { badRequest, VaultError } from '../../base/errors.ts';
import type { BackupRecords } from '../../store/backup-records.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { settleKept } from '../removal/settle-kept.ts';
import type { BackedUp } from './back-up.ts';
import { decideRestore } from './decide-restore.ts';
import { finishRestore } from './finish-restore.ts';
import { planRestore, type RestorePlan } from './plan-restore.ts';
import { RestoringDevice } from './restoring-device.ts';
import { takeBackNowOrLater, takeRestoreBack } from './take-back.ts';
import type { BegunDevice } from './restores.ts';
import { planTrails, readTrails } from './restoring-trails.ts';
import { keepSecrets, planSecrets } from './vault-secrets.ts';

export interface RestoreOptions {
  readonly scope: BackupScope;
  /** Whether only the counts are wanted: nothing is changed. */
  readonly isDryRun: boolean;
  /** Whether what is there and differs is replaced; what goes by that can be undone. */
  readonly replaces: boolean;
  /** Of the backup's secrets; without it they are left out. */
  readonly passphrase: string | null;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/**
 * Restores a backup: all of it, or nothing, whatever ends it. Its records are stored where nobody sees them; once all of the
 * file was read and is as it was written, one change of the metadata decides, and from then on they are there or will be.
 * Rejects with a 400 Refusal that says what cannot be restored, with StoreError, or as the signal's reason.
 */
export async function restoreBackup(
  bytes: AsyncIterable<Uint8Array>,
  into: BackedUp,
  options: RestoreOptions,
  context: Context,
): Promise<Restored> {
  await takeRestoreBack(context);
  await settleKept(context);
  const found = await readBackup(bytes);
  try {
    return await restoreFound(found, into, options, context);
  } finally {
    // The sender of a file that is refused goes on, and gets to the answer.
    await found.members.return(undefined);
  }
}

async function restoreFound(
  { manifest, members: rest }: FoundBackup,
  { records: backup, formerTrails }: BackedUp,
  options: RestoreOptions,
  context: Context,
): Promise<Restored> {
  const { isDryRun, passphrase, principal, replaces } = options;
  const { metadata, restores } = context;
  const all = await readRows(rest, manifest.metadata_version);
  const { rows, scope } = asked(all, options.scope);
  const sealed = await readSecrets(rest, manifest, rows, passphrase);
  const parts = { manifest, scope, principal, config: context.config };
  const plan = await metadata.read((tables) => planRestore(tables, rows, parts));
  const secrets = sealed ? await planSecrets(sealed, plan.put, context) : null;
  const trails = await planTrails(manifest, scope, metadata.trail, formerTrails);
  const told = (counts: Restored): Restored => ({
    ...counts,
    ...(sealed !== undefined && { secrets: secrets?.split ?? null }),
    ...(trails !== undefined && { trails: trails?.split ?? null }),
  });
  if (!isDryRun) await context.chance.meet({ digest: digestOf(manifest), isGuessable: manifest.guessable });
  const names = context.chance.of(principal.account_id);
  const stage = new Stage(plan, backup, options, () => names.uuid());
  const brought = trails?.brought ?? [];
  if (isDryRun)
    try {
      await readTrails(rest, manifest, null);
      return told(await stage.read(rest));
    } finally {
      await stage.abort();
    }
  await restores.begin(stage.begun);
  const { found, decided } = await readTrails(rest, manifest, { brought, formerTrails })
    .then(() => stage.read(rest))
    .then(async (counts) => {
      const staged = stage.devices.filter(({ isStaged }) => isStaged);
      const decision = { plan, staged, replaces, trails: brought };
      return { found: counts, decided: await decideRestore(decision, principal, context) };
    })
    .catch(async (error: unknown) => {
      await stage.abort();
      await takeBackNowOrLater(context);
      throw error;
    });
  // Before anybody hears of the rows, so that who reads them then is shown their secrets.
  const failure = await keepSecrets(secrets?.lacking ?? [], context).then(() => null, onlyOfVault);
  await finishRestore(plan, decided, replaces, context);
  if (failure !== null) throw failure;
  return told(found);
}

/** Returns the failure of a vault, after which the restore goes on; throws any other. */
function onlyOfVault(error: unknown): VaultError {
  if (!(error instanceof VaultError)) throw error;
  return new VaultError(
    error.code,
    `The backup came back, but not all of its secrets could be kept: ${error.message} Restore it once more with its passphrase.`,
    { cause: error },
  );
}

/**
 * Reads the secrets of what is to be restored. Resolves with null without a passphrase, undefined where the backup has none. Rejects as
 * `openSecrets`.
 */
async function readSecrets(
  members: AsyncGenerator<FoundMember>,
  { members: [, second] }: BackupManifest,
  rows: readonly BackupRow[],
  passphrase: string | null,
): Promise<readonly BackupSecret[] | null | undefined> {
  if (second?.name !== SECRETS) return undefined;
  const { value: member } = await members.next();
  if (member === undefined) return undefined;
  if (passphrase === null) {
    await skip(member);
    return null;
  }
  const wanted = new Set(rows.map(({ table, row }) => `${table} ${row.id}`));
  const all = await openSecrets(await textOf(member, MOST_SECRETS_BYTES), passphrase);
  return all.filter(({ table, id }) => wanted.has(`${table} ${id}`));
}

/** Of its rows, which have all ids: two backups of the same have their records in other blocks, as the machine had time to pack them. */
const digestOf = ({ members }: BackupManifest) => members.find(({ name }) => name === ROWS)?.sha256 ?? '';

/** Returns the rows of what is to be restored; the scope has the project of its device. Throws a 400 Refusal where the backup has nothing of it. */
function asked(
  all: readonly BackupRow[],
  { project_id, device_id }: BackupScope,
): { readonly rows: readonly BackupRow[]; readonly scope: BackupScope } {
  if (project_id === null && device_id === null)
    return { rows: all.filter((row) => isOf(EVERYTHING, row)), scope: EVERYTHING };
  const found = all.find(
    ({ table, row }) =>
      (device_id === null ? table === 'projects' : table === 'devices') &&
      row.id === (device_id ?? project_id) &&
      (project_id === null || device_id === null || Reflect.get(row, 'project_id') === project_id),
  );
  if (!found)
    throw badRequest(
      `${device_id === null ? 'project_id' : 'device_id'} must be of what the backup holds, got ${quote(device_id ?? project_id)}`,
    );
  const of = found.table === 'devices' ? found.row.project_id : found.row.id;
  const scope = { project_id: of, device_id };
  return { rows: all.filter((row) => isOf(scope, row)), scope };
}

/** Members of a backup on their way to where nobody sees them yet. */
class Stage {
  readonly begun: readonly BegunDevice[];
  readonly devices: RestoringDevice[] = [];
  readonly #plan: RestorePlan;
  readonly #names: ReadonlyMap<string, string>;
  readonly #backup: BackupRecords;
  readonly #options: RestoreOptions;
  #open: RestoringDevice | null = null;

  constructor(plan: RestorePlan, backup: BackupRecords, options: RestoreOptions, name: () => string) {
    this.#plan = plan;
    this.#backup = backup;
    this.#options = options;
    this.begun = Array.from(plan.nameOf.keys(), (device) => {
      return { device, name: name(), isAdded: plan.added.has(device) };
    });
    this.#names = new Map(this.begun.map((each) => [each.device, each.name]));
  }

  /** Reads all of them. Resolves with what a restore brings. */
  async read(members: AsyncIterable<FoundMember>): Promise<Restored> {
    const { signal } = this.#options;
    for await (const member of members) {
      signal.throwIfAborted();
      const [, device = ''] = member.name.split('/');
      const name = this.#names.get(device);
      if (name === undefined) await skip(member);
      else if (member.name === stateOf(device)) await this.#begin(device, name, member);
      else if (member.name === blocksOf(device) && this.#open?.device === device)
        await this.#open.take(member);
      else throw badRequest(`The backup cannot be read: no backup has a member ${quote(member.name)}`);
    }
    await this.#end();
    signal.throwIfAborted();
    const sum = (which: keyof Restored['records']) =>
      this.devices.reduce((total, { split }) => total + split[which], 0);
    const { projects, devices } = this.#plan;
    return { projects, devices, records: { new: sum('new'), same: sum('same'), differ: sum('differ') } };
  }

  async abort(): Promise<void> {
    await this.#open?.abort();
    this.#open = null;
  }

  async #begin(device: string, name: string, member: FoundMember): Promise<void> {
    await this.#end();
    const { isDryRun, replaces, signal } = this.#options;
    const state = parsedAs(deviceState, parsedOr(await textOf(member, MOST_STATE_BYTES)), member.name);
    const isKnown = !this.#plan.added.has(device);
    const title = this.#plan.nameOf.get(device) ?? device;
    const parts = { device, name, title, state, backup: this.#backup, isDryRun, replaces, isKnown, signal };
    this.#open = new RestoringDevice(parts);
  }

  async #end(): Promise<void> {
    if (this.#open === null) return;
    this.devices.push(await this.#open.end());
    this.#open = null;
  }
}
