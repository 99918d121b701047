import { countOf } from '#shared/values/counts.ts';
import type { StorageCheck } from '#shared/operations/service/storage.ts';
import { join } from 'node:path';
import { errorCode } from '../disk/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { acquireLock } from '../disk/lock/lock.ts';
import { StartError, UnreachableError, UsageError } from '../base/errors.ts';
import { checkLog } from '../store/log/check/check.ts';
import { checkRecords, RECORDS_FOLDER } from '../store/records-folder.ts';
import { ASKER_FLAGS, ASKER_FLAGS_HELP, askerOf } from './ask/asker.ts';
import { dataDirectory } from './serve/configure.ts';
import type { ControlCommand } from './ask/control.ts';
import { tell } from './ask/tell.ts';
import { tellOffline } from './tell-offline.ts';
import type { Output } from './output.ts';
import { givenPath, parseFlags } from './parse.ts';
import { CommandError, refusal } from './refusal.ts';

export const CHECK_FLAGS_HELP = `${ASKER_FLAGS_HELP}
  --repair            sets damaged blocks aside, so that everything else is whole again; no service
                      may use the directory then
  --json              for machines, errors too

  fieldbench check
  fieldbench check --url https://lab.example:7443 --ca lab-ca.pem`;

interface Found {
  /** Relative to the folder of the records. */
  readonly file: string;
  readonly message: string;
  /** Whether records are lost by it. */
  readonly loses: boolean;
}

const told = ({ file, message, loses }: Found): Found => ({ file, message, loses });

/** Result of a check, by the service or by the command. */
interface Checked {
  /** Whether the service did it that uses the directory. */
  readonly by_service: boolean;
  readonly devices: number;
  readonly files: number;
  readonly records: number;
  /** Soft-deleted records; null where the service counts them among the others. */
  readonly kept: number | null;
  readonly bytes: number;
  /** How many files are damaged, or places in them; `findings` has the first of these, and what a crash left over. */
  readonly damaged: number;
  readonly findings: readonly Found[];
  readonly repaired: boolean;
}

/**
 * `fieldbench check`: reads every byte of the records and says what it found. The service that uses the directory does it;
 * where none does, the command reads the files itself. Resolves with 0, or 1 where something is damaged.
 */
export const check: ControlCommand = async (args, output) => {
  const flags = parseFlags(args, {
    ...ASKER_FLAGS,
    repair: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  const repair = flags.repair ?? false;
  const checked =
    flags.url === undefined ? await checkHere(flags, repair, output) : await checkAt(flags, output);
  for (const line of flags.json ? [JSON.stringify(checked)] : linesOf(checked)) output.print(line);
  return checked.damaged === 0 ? 0 : 1;
};

type Given = Parameters<typeof askerOf>[0] & { readonly repair?: boolean | undefined };

/** By the service that uses the data directory, or else by this command. */
async function checkHere(flags: Given, repair: boolean, output: Output): Promise<Checked> {
  const directory = dataDirectory(givenPath('data', flags.data));
  if (repair) {
    (await askerOf(flags)).close();
    return checkFiles(directory, repair);
  }
  try {
    return await askService(flags, output);
  } catch (error) {
    if (error instanceof UnreachableError) return checkFiles(directory, repair);
    throw error;
  }
}

function checkAt(flags: Given, output: Output): Promise<Checked> {
  if (flags.repair)
    throw new UsageError(
      '--repair is for a data directory that no service uses: run it on the machine that has it, with --data, once the service has stopped.',
    );
  return askService(flags, output);
}

/** Rejects with CommandError where the service refuses, and with UnreachableError where none can be asked. */
async function askService(flags: Given, output: Output): Promise<Checked> {
  const asker = await askerOf(flags);
  try {
    const envelope = await asker.check(tell(output));
    if (!envelope.success) throw refusal(envelope);
    const { devices, files, records, bytes, damaged, findings } = envelope.data as StorageCheck;
    const counts = { devices, files, records, kept: null, bytes, damaged };
    return { by_service: true, ...counts, findings: findings.map(told), repaired: false };
  } finally {
    asker.close();
  }
}

/**
 * Names the append log and asks no RecordStore: what it checks are the files of a folder, opening which would mend them, and
 * another engine's files are checked by that engine's own tools. Throws UsageError, StoreError, and where the directory is in
 * use UnreachableError, or CommandError where it is to be repaired.
 */
async function checkFiles(directory: string, repair: boolean): Promise<Checked> {
  const records = join(directory, RECORDS_FOLDER);
  await refuseOthers(directory, records);
  const lock = await acquireLock(directory).catch((error: unknown) => {
    if (!(error instanceof StartError && error.code === 'locked')) throw error;
    if (!repair) throw new UnreachableError(error.message, { cause: error });
    throw new CommandError(
      3,
      `${error.message}\n--repair needs the directory for itself: stop it first, as with "fieldbench stop".`,
    );
  });
  try {
    const { findings, ...report } = repair
      ? await tellOffline(directory, 'check.repair', async () => {
          const result = await checkLog(records, { repair });
          return { result, facts: { files: result.files, findings: result.findings.length } };
        })
      : await checkLog(records, { repair });
    // What a crash left over is not damage: the next start removes it.
    const damaged = findings.filter(({ fault }) => fault.kind !== 'stale').length;
    return { by_service: false, ...report, damaged, findings: findings.map(told) };
  } finally {
    await lock.release();
  }
}

/** Only what is a data directory of this version may be locked, which leaves a file in it, and checked. */
async function refuseOthers(directory: string, records: string): Promise<void> {
  try {
    await checkRecords(directory, nodeFiles);
    await nodeFiles.list(records);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new UsageError(
      `${directory} holds no records of Fieldbench. Name its data directory with --data DIR.`,
    );
  }
}

function linesOf(checked: Checked): string[] {
  const { files, devices, records, kept, bytes, findings } = checked;
  const deleted = kept ? `, and ${countOf(kept, 'record')} that were deleted and can be had back` : '';
  const where = checked.by_service ? 'the service has' : 'in segments';
  return [
    `Checked ${countOf(files, 'file')} (${countOf(bytes, 'byte')}) of ${countOf(devices, 'device')}: ${countOf(records, 'record')} ${where}${deleted}.`,
    ...findings.map(({ file, message }) => `  ${file}: ${message}`),
    verdict(checked),
  ];
}

function verdict({ damaged, findings, repaired, by_service }: Checked): string {
  if (damaged === 0) return 'Nothing is damaged.';
  const lost = findings.some(({ loses }) => loses) ? 'some records are lost' : 'no record is lost';
  if (repaired) return `Repaired; ${lost}. Damaged blocks were set aside beside their files.`;
  const remedy = by_service ? 'Once the service has stopped, --repair' : '--repair';
  return `Damage was found; ${lost}. ${remedy} sets it aside, so that everything else is whole again.`;
}
