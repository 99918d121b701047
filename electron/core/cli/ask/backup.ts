import { resolve } from 'node:path';
import type { Restored, Split } from '#shared/operations/service/backup.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { countOf, formatCount } from '#shared/values/counts.ts';
import type { BackupManifest } from '../../backup/backup-format.ts';
import { readBackup } from '../../backup/read-backup.ts';
import { CONTROL_PATHS } from '../../control/messages.ts';
import { errorCode } from '../../disk/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readInPieces, writeWhole } from '../../disk/whole-file.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP, scopeOf } from '../names/look-up.ts';
import { ofBackup } from './of-backup.ts';
import { ofService } from './of-service.ts';
import { dataDirectory } from '../serve/configure.ts';
import { givenPath, parseWord } from '../parse.ts';
import { CommandError, refusal } from '../refusal.ts';
import { askFile } from './ask-file.ts';
import type { ControlCommand } from './control.ts';
import { sendFile } from './send-file.ts';

/* `fieldbench backup` and `fieldbench restore`: all that a data directory holds as one file, and back (docs/backup.md). */

const COMMON = { ...SCOPE_FLAGS, data: { type: 'string' }, json: { type: 'boolean' } } as const;

const COMMON_HELP = `${SCOPE_FLAGS_HELP}; that alone (everything)
  --data DIR          data directory (default: the per-user folder)
  --json              for machines, errors too`;

export const BACKUP_FLAGS_HELP = `  FILE                where to; nothing that is there is written over
${COMMON_HELP}

  fieldbench backup monday.tar
  fieldbench backup pump.tar --device 'Boiler room/Pump'`;

export const RESTORE_FLAGS_HELP = `  FILE                a backup; names are those of what it holds
  --dry-run           says what would come back, and changes nothing
  --replace           what is there and differs is replaced, too; that can be undone
${COMMON_HELP}

  fieldbench restore monday.tar --dry-run`;

/** Flags by field of the operations. */
const FLAG_OF = { project_id: 'project', device_id: 'device' };

/** `fieldbench backup FILE`: written, read again and compared with its own digests before it has its name. */
export const backup: ControlCommand = async (args, output) => {
  const { word, values: flags } = parseWord(args, COMMON, 'a FILE');
  const file = resolve(word);
  refuseThere(file);
  const directory = dataDirectory(givenPath('data', flags.data));
  const scope = await scopeOf(ofService(directory), flags);
  const coming = await askFile(directory, CONTROL_PATHS.backup, { ...scope }, null);
  if (!('bytes' in coming)) throw refusal(coming, FLAG_OF);
  const part = `${file}.part`;
  let manifest: BackupManifest;
  try {
    // One that another run left may be open to others.
    await nodeFiles.remove(part);
    await writeWhole(nodeFiles, part, coming.bytes as AsyncIterable<Uint8Array>, 0o600);
    manifest = await verified(part);
    refuseThere(file);
    await nodeFiles.rename(part, file);
    await nodeFiles.syncDirectory(resolve(file, '..'));
  } catch (cause) {
    await nodeFiles.remove(part);
    if (cause instanceof CommandError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(1, `The backup failed, and nothing of it was kept: ${reason}`);
  }
  const { projects, devices, records } = manifest;
  const bytes = sizeOf(file);
  if (flags.json) output.print(JSON.stringify({ file, bytes, projects, devices, records }));
  else
    output.print(
      `${file}: ${countOf(bytes, 'byte')}, ${countOf(projects, 'project')}, ${countOf(devices, 'device')}, ${countOf(records, 'record')}; read again, and whole.`,
    );
  return 0;
};

/** Reads a backup to its end. Rejects as `readBackup`. */
async function verified(path: string): Promise<BackupManifest> {
  const { manifest, members } = await readBackup(readInPieces(nodeFiles, path));
  for await (const { content } of members) for await (const piece of content) void piece;
  return manifest;
}

/** `fieldbench restore FILE`: all that it holds and is not there. */
export const restore: ControlCommand = async (args, output) => {
  const options = {
    ...COMMON,
    'dry-run': { type: 'boolean' },
    replace: { type: 'boolean' },
  } as const;
  const { word, values: flags } = parseWord(args, options, 'a FILE');
  const file = resolve(word);
  if (!isThere(file)) throw new CommandError(1, `There is no file ${file}.`);
  const isDryRun = flags['dry-run'] ?? false;
  const isOfPart = flags.project !== undefined || flags.device !== undefined;
  const fields = {
    ...(isOfPart && (await scopeOf(await ofBackup(file), flags))),
    ...(isDryRun && { dry_run: 'true' }),
    ...(flags.replace && { replace: 'true' }),
  };
  const directory = dataDirectory(givenPath('data', flags.data));
  const envelope: Envelope = await sendFile(directory, CONTROL_PATHS.restore, fields, file);
  if (!envelope.success) throw refusal(envelope, FLAG_OF);
  const found = envelope.data as Restored;
  if (flags.json) output.print(JSON.stringify(found));
  else for (const line of linesOf(found, isDryRun, flags.replace ?? false)) output.print(line);
  return 0;
};

const line = (what: string, { new: added, same, differ }: Split) =>
  `  ${what.padEnd(9)} ${[added, same, differ].map((count) => formatCount(count).padStart(12)).join('')}`;

function linesOf({ projects, devices, records }: Restored, isDryRun: boolean, replaced: boolean): string[] {
  const differing = projects.differ + devices.differ + records.differ > 0;
  return [
    isDryRun ? 'Would come back; nothing was changed:' : 'Came back:',
    `  ${''.padEnd(9)} ${['new', 'the same', 'differ'].map((word) => word.padStart(12)).join('')}`,
    line('projects', projects),
    line('devices', devices),
    line('records', records),
    ...(differing && !replaced
      ? [
          'What differs is left as it is here; --replace puts what the backup has in its place, and can be undone.',
        ]
      : []),
  ];
}

function refuseThere(file: string): void {
  if (isThere(file))
    throw new CommandError(1, `${file} is there already, and was left as it is: choose another name.`);
}

function isThere(path: string): boolean {
  try {
    nodeFiles.openForReading(path).close();
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function sizeOf(path: string): number {
  const file = nodeFiles.openForReading(path);
  try {
    return file.size;
  } finally {
    file.close();
  }
}
