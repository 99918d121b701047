import { formatMicros } from '#shared/values/time.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import { BACKUP_TYPE } from '#shared/operations/service/backup.ts';
import { EVERYTHING, rowsOfBackup, type BackupScope } from '../../../backup/backup-rows.ts';
import { prepareBackup } from '../../../backup/write-backup.ts';
import { badRequest, notFound } from '../../../base/errors.ts';
import type { BackupRecords } from '../../../store/backup-records.ts';
import type { TableName } from '../../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../../store/metadata/metadata.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { restoreBackup } from '../../backup/restore.ts';

export const backupHandlers: HandlersOf<'backup'> = {
  async 'backup.get'({ input, principal, signal }, context) {
    const records = requireFolder(context);
    const { metadata, clock, chance, jobs, exports, default_account_id } = context;
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
      const prepared = await prepareBackup({
        records,
        settings,
        rows,
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
  },

  async 'backup.restore'({ input, body, principal, signal }, context) {
    const backup = requireFolder(context);
    if (!body) throw badRequest(`body is required: send the backup as ${BACKUP_TYPE}`);
    const { files, jobs, restores, default_account_id } = context;
    const given = signal ?? new AbortController().signal;
    const end = new AbortController();
    // A sender that is quiet would not hear that the job was cancelled.
    const either = AbortSignal.any([given, end.signal]);
    const { parts, givenUp } = files.take(body.bytes, principal.key_id, either);
    const job = {
      kind: 'restore',
      account_id: default_account_id,
      project_id: '',
      device_id: null,
      unit: 'bytes',
      total: body.size,
      stop: end,
    } as const;
    const { project_id, device_id } = input;
    const data = await jobs.run(
      job,
      (progress, stop) =>
        restores.run(() =>
          restoreBackup(
            counted(parts, progress),
            backup,
            {
              scope: { project_id: project_id ?? null, device_id: device_id ?? null },
              isDryRun: input.dry_run === 'true',
              replaces: input.replace === 'true',
              principal,
              signal: AbortSignal.any([stop, givenUp]),
            },
            context,
          ),
        ),
      given,
    );
    return { data };
  },
};

/** Throws a 400 Refusal where the records lie in a database. */
function requireFolder({ backup }: Context): BackupRecords {
  if (backup === null)
    throw badRequest(
      'This service keeps what it has in a database: back that up as docs/lab.md says; a backup of this kind is of a data directory.',
    );
  return backup;
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

async function* counted(
  parts: AsyncIterable<Uint8Array>,
  progress: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const part of parts) {
    yield part;
    progress((done += part.byteLength));
  }
}
