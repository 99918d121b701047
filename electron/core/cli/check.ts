import { countOf } from '#shared/counts.ts';
import { join } from 'node:path';
import { errorCode } from '../disk/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { acquireLock } from '../disk/lock/lock.ts';
import { checkLog, type CheckReport } from '../store/log/check/check.ts';
import { UsageError } from '../errors.ts';
import { isPlainLog } from '../store/migrate-plain-log.ts';
import { dataDirectory } from './configure.ts';
import { givenPath, parseFlags } from './parse.ts';

export interface CheckFlags {
  /** The service's data directory, absolute. */
  readonly directory: string;
  readonly repair: boolean;
}

export const CHECK_FLAGS_HELP = `  --data DIR          data directory (default: the per-user folder)
  --repair            sets damaged blocks aside, so that everything else is whole again`;

/** Throws UsageError. */
export function parseCheckFlags(args: readonly string[]): CheckFlags {
  const values = parseFlags(args, { data: { type: 'string' }, repair: { type: 'boolean' } });
  return { directory: dataDirectory(givenPath('data', values.data)), repair: values.repair ?? false };
}

/**
 * Reads every byte of the records in a data directory that no service uses, and says what it found. It names the append
 * log and asks no RecordStore: what it checks are the files of a folder, opening which would mend them, and another
 * engine's files are checked by that engine's own tools. Resolves with the
 * exit code: 0, or 1 where something is damaged. Throws UsageError, StartError (`locked`) and StoreError.
 */
export async function runCheck(
  { directory, repair }: CheckFlags,
  print: (line: string) => void,
): Promise<number> {
  const records = join(directory, 'data');
  await refuseOthers(directory, records);
  const lock = await acquireLock(directory);
  try {
    const report = await checkLog(records, { repair });
    for (const line of linesOf(report)) print(line);
    return damages(report).length === 0 ? 0 : 1;
  } finally {
    await lock.release();
  }
}

/** Only what is a data directory of this version may be locked, which leaves a file in it, and checked. */
async function refuseOthers(directory: string, records: string): Promise<void> {
  try {
    if (await isPlainLog(nodeFiles, records))
      throw new UsageError(
        `${directory} holds records of an earlier version. Start the service on it once: that moves and checks them.`,
      );
    await nodeFiles.list(records);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new UsageError(
      `${directory} holds no records of Fieldbench. Name its data directory with --data DIR.`,
    );
  }
}

function linesOf(report: CheckReport): string[] {
  const { files, devices, records, kept, bytes, findings, repaired } = report;
  const deleted = kept === 0 ? '' : `, and ${countOf(kept, 'record')} that were deleted and can be had back`;
  return [
    `Checked ${countOf(files, 'file')} (${countOf(bytes, 'byte')}) of ${countOf(devices, 'device')}: ${countOf(records, 'record')} in segments${deleted}.`,
    ...findings.map(({ file, message }) => `  ${file}: ${message}`),
    verdict(report, repaired),
  ];
}

function verdict(report: CheckReport, repaired: boolean): string {
  const damaged = damages(report);
  if (damaged.length === 0) return 'Nothing is damaged.';
  const lost = damaged.some(({ loses }) => loses) ? 'some records are lost' : 'no record is lost';
  if (repaired) return `Repaired; ${lost}. Damaged blocks were set aside beside their files.`;
  return `Damage was found; ${lost}. --repair sets it aside, so that everything else is whole again.`;
}

/** What a crash left over is not damage: the next start removes it. */
function damages({ findings }: CheckReport): CheckReport['findings'] {
  return findings.filter(({ fault }) => fault.kind !== 'stale');
}
