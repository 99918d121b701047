import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Logger } from '#core/base/logger.ts';
import { errorCode } from '#core/disk/errors.ts';

/** Dumps that are kept: each has some megabytes, and the newest ones say what is wrong. */
export const MOST_DUMPS = 10;

/**
 * Removes all but the newest crash dumps from the folder where Crashpad keeps them, which by itself keeps a year of them, and
 * says how many there are. Not those being written (crashpad/client/crash_report_database_generic.cc: `new`, `pending` and
 * `completed`, a .meta beside each .dmp; on Windows all in `reports`). Never throws: what cannot be removed is logged.
 */
export function boundDumps(folder: string, log: Pick<Logger, 'info' | 'warn'>): void {
  try {
    const dumps = dumpsIn(folder);
    if (dumps.length > 0)
      log.info(
        `Crash dumps of this app on this computer: ${dumps.length}, in ${folder}. None was sent anywhere.`,
      );
    for (const { path } of dumps.slice(MOST_DUMPS)) {
      rmSync(path, { force: true });
      rmSync(path.replace(/\.dmp$/, '.meta'), { force: true });
    }
  } catch (error) {
    log.warn(
      `Old crash dumps in ${folder} cannot be removed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Newest first. */
function dumpsIn(folder: string): { readonly path: string; readonly modifiedMs: number }[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
  return names
    .filter((name) => name.endsWith('.dmp') && basename(dirname(name)) !== 'new')
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats ? [{ path, modifiedMs: stats.mtimeMs }] : [];
    })
    .toSorted((a, b) => b.modifiedMs - a.modifiedMs);
}
