import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';
import { StartError } from '#core/errors.ts';
import { errorCode } from '#core/disk/errors.ts';
import type { Ending } from '../end/ending.ts';

/**
 * Whether this is the only app over its profile; the first one is told of any other. Electron says "no" where the lock
 * cannot be made at all, too (Chromium, chrome/browser/process_singleton_posix.cc): that throws StartError.
 */
export function isOnlyInstance(
  app: Pick<App, 'requestSingleInstanceLock'>,
  profile: string,
  argv: readonly string[] = process.argv,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (app.requestSingleInstanceLock({ args: argv.slice(1) })) return true;
  if (platform !== 'win32') checkHolder(join(profile, 'SingletonLock'));
  return false;
}

/** The lock is a symbolic link to "host-pid". */
function checkHolder(link: string): void {
  const host = /^(.*)-\d+$/.exec(readLink(link))?.[1];
  if (host === undefined || host === hostname()) return;
  throw new StartError(
    'locked',
    `The app's window folder is in use on the computer ${host}. Quit Fieldbench there; where none runs, delete ${link}.`,
  );
}

function readLink(link: string): string {
  try {
    return readlinkSync(link);
  } catch (error) {
    const reason = errorCode(error) === 'ENOENT' ? 'there is none' : String(error);
    throw new StartError(
      'locked',
      `The app cannot make its lock ${link} (${reason}). That folder must be on a disk of this computer that takes ` +
        'symbolic links; XDG_CONFIG_HOME chooses another on Linux.',
      { cause: error },
    );
  }
}

/** What the app does when it is started once more, or clicked in the Dock of a Mac. */
export function heedOtherStarts(
  app: Pick<App, 'relaunch'> & {
    on(
      event: 'second-instance',
      listener: (event: unknown, argv: string[], cwd: string, data: unknown) => void,
    ): unknown;
    on(event: 'activate', listener: () => void): unknown;
  },
  ending: Ending,
  show: () => Promise<void>,
  failed: (error: unknown) => void,
): void {
  let isToComeBack = false;
  const comeBack = (args?: string[]) => {
    // It holds the lock until it has ended: whoever started it again wants it, once.
    if (isToComeBack) return;
    isToComeBack = true;
    app.relaunch(args && { args });
  };
  const heed = (comeBackAsAsked: () => void) => {
    if (ending.isUnderWay) comeBackAsAsked();
    else show().catch(failed);
  };
  app.on('second-instance', (_event, _argv, cwd, data) =>
    heed(() => inFolder(cwd, () => comeBack(argsIn(data)))),
  );
  app.on('activate', () => heed(comeBack));
}

/**
 * Relative paths are of the folder in which they were said; Electron starts an app anew in the one that it is in. Where
 * either folder is gone or closed to us, the other words still hold.
 */
function inFolder(folder: string, act: () => void): void {
  const own = enter(folder);
  try {
    act();
  } finally {
    if (own !== null) process.chdir(own);
  }
}

/** The folder that was left; null where none was. */
function enter(folder: string): string | null {
  try {
    const own = process.cwd();
    process.chdir(folder);
    return own;
  } catch {
    return null;
  }
}

/** The other start's own words: Chromium sorts its argv and adds to it (electron/docs/api/app.md). */
function argsIn(data: unknown): string[] | undefined {
  const args: unknown = typeof data === 'object' && data !== null && 'args' in data ? data.args : undefined;
  return Array.isArray(args) && args.every((arg) => typeof arg === 'string') ? args : undefined;
}
