import { BACKUP_TYPE } from '#shared/operations/service/backup.ts';
import { badRequest } from '../../../base/errors.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { backUp, type BackedUp } from '../../backup/back-up.ts';
import { restoreBackup } from '../../backup/restore.ts';

export const backupHandlers: HandlersOf<'backup'> = {
  'backup.get': (call, context) => backUp(call, null, requireFolder(context), context),

  'backup.with-secrets': (call, context) =>
    backUp(call, call.input.passphrase, requireFolder(context), context),

  async 'backup.restore'({ input, body, principal, signal }, context) {
    const backedUp = requireFolder(context);
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
    const { project_id, device_id, passphrase } = input;
    const data = await jobs.run(
      job,
      (progress, stop) =>
        restores.run(() =>
          restoreBackup(
            counted(parts, progress),
            backedUp,
            {
              scope: { project_id: project_id ?? null, device_id: device_id ?? null },
              isDryRun: input.dry_run === 'true',
              replaces: input.replace === 'true',
              passphrase: passphrase ?? null,
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
function requireFolder({ backup: records, formerTrails }: Context): BackedUp {
  if (records === null || formerTrails === null)
    throw badRequest(
      'This service keeps what it has in a database: back that up as docs/lab.md says; a backup of this kind is of a data directory.',
    );
  return { records, formerTrails };
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
