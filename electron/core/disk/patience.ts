import { machineClock } from '../base/machine-clock.ts';
import { errorCode } from './errors.ts';

/*
 * On Windows whoever looks at a file, such as a virus scanner, an indexer or a backup, keeps others from renaming and
 * removing it, mostly for some ms, sometimes for many seconds. VS Code waits a minute for the same reason
 * (https://github.com/microsoft/vscode/blob/main/src/vs/base/node/pfs.ts).
 */

/** Codes of Windows meanwhile. ENOTEMPTY: a file of the folder was removed, and is still open somewhere. */
const BUSY = new Set<string | undefined>(['EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY']);
const STEP_MS = 10;
const MOST_STEP_MS = 100;
const MOST_MS = 30_000;

/** Parts that tests replace. */
export interface PatienceParts {
  readonly platform: NodeJS.Platform;
  /** Resolves after so many ms. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Retries `attempt` on Windows while another program has the file open, for half a minute; rejects as `attempt` does. */
export async function patiently<T>(
  attempt: () => Promise<T>,
  { platform, wait }: PatienceParts = { platform: process.platform, wait: (ms) => machineClock.delay(ms) },
): Promise<T> {
  let waited = 0;
  for (let step = STEP_MS; ; step = Math.min(MOST_STEP_MS, step + STEP_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (platform !== 'win32' || !BUSY.has(errorCode(error)) || waited >= MOST_MS) throw error;
    }
    await wait(step);
    waited += step;
  }
}
