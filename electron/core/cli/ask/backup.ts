import { resolve } from 'node:path';
import type { Restored, Split } from '#shared/operations/service/backup.ts';
import { countOf, formatCount } from '#shared/values/counts.ts';
import { SECRETS, type BackupManifest } from '../../backup/backup-format.ts';
import { MOST_SECRETS_BYTES, readBackup, textOf } from '../../backup/read-backup.ts';
import { openSecrets } from '../../backup/sealed-secrets.ts';
import { UsageError } from '../../base/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { isThere } from '../../disk/pieces.ts';
import { readInPieces } from '../../disk/whole-file.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP, scopeOf } from '../names/look-up.ts';
import { ofBackup } from './names-of-backup.ts';
import { holdingsOf } from './names-of-service.ts';
import { givenPath, parseWord } from '../parse.ts';
import { backupPassphrase, PASSPHRASE_VARIABLE } from '../passphrase.ts';
import { CommandError } from '../refusal.ts';
import { ASKER_FLAGS, ASKER_FLAGS_HELP, askerOf } from './asker.ts';
import type { ControlCommand } from './control.ts';
import { piecesOf } from './send-file.ts';
import { refuseThere, writeVerified } from './write-verified.ts';

/* `fieldbench backup` and `fieldbench restore`: all that a service holds as one file, and back (docs/backup.md). */

const COMMON = {
  ...SCOPE_FLAGS,
  ...ASKER_FLAGS,
  json: { type: 'boolean' },
  'passphrase-file': { type: 'string' },
} as const;

const COMMON_HELP = `${SCOPE_FLAGS_HELP}; that alone (everything)
${ASKER_FLAGS_HELP}
  --json              for machines, errors too`;

export const BACKUP_FLAGS_HELP = `  FILE                where to; nothing that is there is written over
  --with-secrets      with device tokens and API keys, encrypted with a passphrase
  --passphrase-file F it is in this file; or set ${PASSPHRASE_VARIABLE}
${COMMON_HELP}

  fieldbench backup monday.tar
  fieldbench backup pump.tar --device 'Boiler room/Pump'
  fieldbench backup lab.tar --url https://lab.example:7443 --ca lab-ca.pem`;

export const RESTORE_FLAGS_HELP = `  FILE                a backup; names are those of what it holds
  --dry-run           says what would come back, and changes nothing
  --replace           what is there and differs is replaced, too; that can be undone
  --passphrase-file F the passphrase of a backup's secrets is in this file; or set
                      ${PASSPHRASE_VARIABLE}. Without it they are left out
${COMMON_HELP}

  fieldbench restore monday.tar --dry-run
  fieldbench restore monday.tar --dry-run --url https://lab.example:7443 --ca lab-ca.pem`;

/** Flags by field of the operations. */
const FLAG_OF = { project_id: 'project', device_id: 'device' };

/** `fieldbench backup FILE`: written, read again and compared with its own digests before it has its name. */
export const backup: ControlCommand = async (args, output) => {
  const options = { ...COMMON, 'with-secrets': { type: 'boolean' } } as const;
  const { word, values: flags } = parseWord(args, options, 'a FILE');
  const file = resolve(word);
  refuseThere(file);
  const passphrase = await passphraseFor(flags);
  const asker = await askerOf(flags);
  let manifest: BackupManifest;
  try {
    const scope = await scopeOf(
      holdingsOf((id, input) => asker.operation(id, input)),
      flags,
    );
    manifest = await writeVerified(file, await asker.backup({ ...scope }, passphrase), {
      verify: (part) => verified(part, passphrase),
      flags: FLAG_OF,
      failed: 'The backup failed',
    });
  } finally {
    asker.close();
  }
  const { projects, devices, records, secrets } = manifest;
  const bytes = sizeOf(file);
  const counts = [
    countOf(bytes, 'byte'),
    countOf(projects, 'project'),
    countOf(devices, 'device'),
    countOf(records, 'record'),
    ...(secrets === undefined ? [] : [countOf(secrets, 'secret')]),
  ];
  // What JSON does not have is absent there.
  if (flags.json) output.print(JSON.stringify({ file, bytes, projects, devices, records, secrets }));
  else output.print(`${file}: ${counts.join(', ')}; read again, and whole.`);
  return 0;
};

/** Resolves with the passphrase where secrets are asked for, else with null. Throws UsageError where only one of both is there. */
async function passphraseFor(flags: {
  readonly 'with-secrets'?: boolean | undefined;
  readonly 'passphrase-file'?: string | undefined;
}): Promise<string | null> {
  const file = givenPath('passphrase-file', flags['passphrase-file']);
  if (!flags['with-secrets']) {
    if (file === null) return null;
    throw new UsageError('--passphrase-file is for --with-secrets: give both, or neither.');
  }
  const passphrase = await backupPassphrase(file);
  if (passphrase === null)
    throw new UsageError(
      `--with-secrets needs a passphrase: in a file that --passphrase-file names, or in ${PASSPHRASE_VARIABLE}.`,
    );
  return passphrase;
}

/** Reads a backup to its end, and opens its secrets. Rejects as `readBackup` and `openSecrets`. */
async function verified(path: string, passphrase: string | null): Promise<BackupManifest> {
  const { manifest, members } = await readBackup(readInPieces(nodeFiles, path));
  for await (const member of members)
    if (passphrase !== null && member.name === SECRETS)
      await openSecrets(await textOf(member, MOST_SECRETS_BYTES), passphrase);
    else for await (const piece of member.content) void piece;
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
  if (!isThere(nodeFiles, file)) throw new CommandError(1, `There is no file ${file}.`);
  const isDryRun = flags['dry-run'] ?? false;
  const isOfPart = flags.project !== undefined || flags.device !== undefined;
  const passphrase = await backupPassphrase(givenPath('passphrase-file', flags['passphrase-file']));
  const asker = await askerOf(flags);
  let found: Restored;
  try {
    const fields = {
      ...(isOfPart && (await scopeOf(await ofBackup(file), flags))),
      ...(isDryRun && { dry_run: 'true' as const }),
      ...(flags.replace && { replace: 'true' as const }),
      ...(passphrase !== null && { passphrase }),
    };
    found = await asker.upload('backup.restore', fields, piecesOf(file), FLAG_OF);
  } finally {
    asker.close();
  }
  if (flags.json) output.print(JSON.stringify(found));
  else for (const line of linesOf(found, isDryRun, flags.replace ?? false)) output.print(line);
  return 0;
};

const line = (what: string, { new: added, same, differ }: Split) =>
  `  ${what.padEnd(9)} ${[added, same, differ].map((count) => formatCount(count).padStart(12)).join('')}`;

function linesOf(
  { projects, devices, records, secrets, trails }: Restored,
  isDryRun: boolean,
  replaced: boolean,
): string[] {
  const differing = projects.differ + devices.differ + records.differ > 0;
  return [
    isDryRun ? 'Would come back; nothing was changed:' : 'Came back:',
    `  ${''.padEnd(9)} ${['new', 'the same', 'differ'].map((word) => word.padStart(12)).join('')}`,
    line('projects', projects),
    line('devices', devices),
    line('records', records),
    ...(secrets ? [line('secrets', secrets)] : []),
    ...(secrets === null
      ? [
          `Its secrets are left out: their passphrase is needed, in --passphrase-file F or ${PASSPHRASE_VARIABLE}.`,
        ]
      : []),
    ...trailLines(trails, isDryRun),
    ...(differing && !replaced
      ? [
          'What differs is left as it is here; --replace puts what the backup has in its place, and can be undone.',
        ]
      : []),
  ];
}

/** Outcome for the audit trails of a backup, in lines. */
function trailLines(trails: Restored['trails'], isDryRun: boolean): string[] {
  if (trails === undefined)
    return ['The backup has no audit trail: it is of a part, or of an earlier Fieldbench.'];
  if (trails === null) return ['Its audit trail is left out: only a part is restored.'];
  const { new: added, same } = trails;
  const kept = isDryRun ? 'would be kept' : added === 1 ? 'is kept' : 'are kept';
  return [
    ...(added === 0
      ? []
      : [`${countOf(added, 'audit trail')} of it ${kept} beside the one here (audit list).`]),
    ...(same === 0
      ? []
      : [`${countOf(same, 'audit trail')} of it ${same === 1 ? 'is' : 'are'} here already.`]),
  ];
}

function sizeOf(path: string): number {
  const file = nodeFiles.openForReading(path);
  try {
    return file.size;
  } finally {
    file.close();
  }
}
