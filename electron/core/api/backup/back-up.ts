import { BACKUP_TYPE } from '#shared/operations/service/backup.ts';
import type { CheckedInput, OutputOf } from '#shared/operations/index.ts';
import { formatMicros } from '#shared/values/time.ts';
import { EVERYTHING, rowsOfBackup, type BackupScope } from '../../backup/backup-rows.ts';
import { trailsOfBackup } from '../../backup/backup-trails.ts';
import { sealSecrets } from '../../backup/sealed-secrets.ts';
import { prepareBackup } from '../../backup/write-backup.ts';
import { notFound } from '../../base/errors.ts';
import type { BackupRecords } from '../../store/backup-records.ts';
import type { TableName } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import type { FormerTrails } from '../../store/trail/former-trails.ts';
import type { Admitted, Context, Handled } from '../context.ts';
import { secretsOf } from './vault-secrets.ts';

/** Parts of a data directory that a backup needs, and a database lacks. */
export interface BackedUp {
  readonly records: BackupRecords;
  readonly formerTrails: FormerTrails;
}

/** Makes a backup while it is read; with a passphrase its secrets, too. Rejects with a 404 Refusal where there is nothing such. */
export async function backUp(
  { input, principal, signal }: Pick<Admitted<'backup.get'>, 'input' | 'principal' | 'signal'>,
  passphrase: string | null,
  { records, formerTrails }: BackedUp,
  { config, metadata, clock, chance, jobs, exports, vault, default_account_id }: Context,
): Promise<Handled<OutputOf<'backup.get'>>> {
  const now = clock.now();
  const isGuessable = chance.warning !== null;
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const { settings, rows, scope } = await metadata.read(async (tables) => {
    const found = await scopeOf(tables, input);
    return { settings: await tables.settings(), rows: await rowsOfBackup(tables, found), scope: found };
  });
  const of = {
    account_id: default_account_id,
    project_id: scope.project_id ?? '',
    device_id: scope.device_id,
  };
  const job = { kind: 'backup', ...of, unit: 'bytes', total: null, stop } as const;
  /** Holds nothing until it is read, since who asks may want no more than the head of an answer. */
  async function* written() {
    const secrets =
      passphrase === null
        ? null
        : await sealSecrets(secretsOf(rows, vault, either), passphrase, config.backupCost ?? undefined);
    const prepared = await prepareBackup({
      records,
      settings,
      rows,
      secrets,
      trails: scope.project_id === null ? await trailsOfBackup(metadata.trail, formerTrails) : [],
      scope,
      now,
      isGuessable,
      signal: either,
    });
    try {
      yield* prepared.write();
    } finally {
      await prepared.release();
    }
  }
  const { parts, givenUp } = exports.take(written(), principal.key_id, either);
  const numberOf = (name: TableName) => rows.filter(({ table }) => table === name).length;
  return {
    data: { projects: numberOf('projects'), devices: numberOf('devices') },
    download: {
      type: BACKUP_TYPE,
      name: `fieldbench_${formatMicros(now).slice(0, 10)}`,
      extension: 'tar',
      bytes: jobs.follow(job, parts, signal),
      givenUp: AbortSignal.any([givenUp, stop.signal]),
    },
  };
}

/** Throws a 404 Refusal where there is no such project or device. */
async function scopeOf(
  tables: Tables,
  { project_id, device_id }: CheckedInput<'backup.get'>,
): Promise<BackupScope> {
  if (device_id !== undefined) {
    const device = await tables.get('devices', device_id);
    if (!device || (project_id !== undefined && device.project_id !== project_id)) throw notFound('Device');
    return { project_id: device.project_id, device_id };
  }
  if (project_id === undefined) return EVERYTHING;
  if (!(await tables.get('projects', project_id))) throw notFound('Project');
  return { project_id, device_id: null };
}
