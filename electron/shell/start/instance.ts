import { execFileSync } from 'node:child_process';
import { readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import type { App } from 'electron';
import { StartError } from '#core/base/errors.ts';
import { errorCode } from '#core/disk/errors.ts';
import type { Ending } from '../end/ending.ts';
import { RemediableError } from '../end/failure.ts';
import { startAgain } from '../end/start-again.ts';
import { filesToOpen } from './arguments.ts';

/**
 * Whether this is the only app over its profile; the first one is told of any other. Electron says "no" where the lock
 * cannot be made at all, too (Chromium, chrome/browser/process_singleton_posix.cc): that throws StartError, and
 * RemediableError where the lock may be taken away.
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

/**
 * The lock is a symbolic link to "host-pid". Of this computer's name, Chromium looks at the process by itself, and leaves
 * one of another name alone. The profile is the user's and on this computer (profile.ts): another name is most often one
 * that it had before, and its process gone.
 */
function checkHolder(link: string): void {
  const [, host, pid] = /^(.*)-(\d+)$/.exec(readLink(link)) ?? [];
  if (host === undefined || host === hostname()) return;
  if (isApp(Number(pid)))
    throw new StartError(
      'locked',
      `Fieldbench runs here since this computer was called ${host}, as process ${pid}. Quit it first.`,
    );
  throw new RemediableError(
    'locked',
    `The app's window folder is in use on the computer ${host}, says ${link}. If that is what this computer was called ` +
      'before, start anyway. If it is another one that shares this folder, quit Fieldbench there.',
    { label: 'Start anyway', apply: () => rmSync(link, { force: true }) },
  );
}

/** Whether a process of this computer runs the same program as this one. */
function isApp(pid: number): boolean {
  const program = programOf(pid);
  return program !== null && basename(program) === basename(process.execPath);
}

/** Null where there is none, or it is another user's. */
function programOf(pid: number): string | null {
  try {
    return process.platform === 'linux'
      ? readlinkSync(`/proc/${pid}/exe`)
      : execFileSync('/bin/ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
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

/** Returns the message where another app over this directory has come up instead, which ignores the flags of this one. */
export function saidInstead(directory: string, flags: readonly string[]): string {
  const names = flags.flatMap((flag) => /^--[\w-]+/.exec(flag) ?? []).filter((name) => name !== '--data');
  const unheeded = names.length === 0 ? '' : ` It goes on as it was started, without ${names.join(', ')}.`;
  return `Fieldbench runs already over ${directory}: its window comes up.${unheeded}`;
}

/** Handles further starts, clicks in the Dock of a Mac, and files given there. */
export function heedOtherStarts(
  app: Pick<App, 'relaunch' | 'isPackaged'> & {
    on(
      event: 'second-instance',
      listener: (event: unknown, argv: string[], cwd: string, data: unknown) => void,
    ): unknown;
    on(event: 'activate', listener: () => void): unknown;
    on(event: 'open-file', listener: (event: unknown, path: string) => void): unknown;
  },
  ending: Ending,
  show: () => Promise<void>,
  failed: (error: unknown) => void,
  openFiles: (paths: readonly string[]) => void,
  argv: readonly string[] = process.argv,
): void {
  let isToComeBack = false;
  const comeBack = (args?: string[]) => {
    // It holds the lock until it has ended: whoever started it again wants it, once.
    if (isToComeBack) return;
    isToComeBack = true;
    startAgain(app, args);
  };
  const heed = (comeBackAsAsked: () => void, files: readonly string[] = []) => {
    if (ending.isUnderWay) return comeBackAsAsked();
    show().catch(failed);
    openFiles(files);
  };
  app.on('second-instance', (_event, _argv, cwd, data) =>
    heed(
      () => inFolder(cwd, () => comeBack(argsIn(data))),
      filesToOpen(['', ...(argsIn(data) ?? [])], app.isPackaged, cwd),
    ),
  );
  app.on('activate', () => heed(comeBack));
  // What is done with the file is open-file.ts's; a Mac's app may have no window to show it in.
  app.on('open-file', (_event, path) => heed(() => comeBack([...argv.slice(1), path])));
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
