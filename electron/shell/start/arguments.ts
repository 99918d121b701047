import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '#core/base/errors.ts';
import { OPTIONS, parseServeFlags, type ServeFlags } from '#core/cli/flags.ts';
import { isNearly } from '#core/base/slips.ts';

/**
 * The app's own flags. In development they come after the script that Electron was given, and are all ours: switches for
 * Chromium go before that script. An installed app has no script, and gets switches that are none of its own: launchers
 * add them, installers --updated, people --ozone-platform=x11. Those are left out.
 */
export function appArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  const flags = ownWords(argv, isPackaged).filter(
    (_arg, index, own) => givenFile(own, index, { isPackaged }) === null,
  );
  return isPackaged ? withoutForeign(flags) : flags;
}

/** Reads the app's flags. Throws UsageError as parseServeFlags does, and at one that is for a service without a window. */
export function readFlags(args: readonly string[]): ServeFlags {
  const flags = parseServeFlags(args);
  if (flags.inMemory)
    throw new UsageError(
      '--in-memory is for "fieldbench serve": the window of the app keeps files of its own. Leave it away.',
    );
  return flags;
}

/** Returns the arguments behind the program, and in development behind the script. */
export function ownWords([, ...args]: readonly string[], isPackaged: boolean): readonly string[] {
  return isPackaged ? args : args.slice(args.findIndex((arg) => !arg.startsWith('-')) + 1);
}

/**
 * The files that a desktop or a shell hands to the app, by "Open with", a drop on its icon or a name that was typed, as
 * absolute paths: words that no flag of ours is waiting for. A desktop file with %U says them as file: URLs (freedesktop.org,
 * Desktop Entry Specification, "The Exec key"). Relative ones are of the folder `cwd`. An installed app is handed what is
 * not there as well, so that somebody hears of it: for others the flags' reader names it.
 */
export const filesToOpen = (
  argv: readonly string[],
  isPackaged: boolean,
  cwd?: string,
  platform = process.platform,
): readonly string[] =>
  ownWords(argv, isPackaged).flatMap(
    (_arg, index, own) => givenFile(own, index, { isPackaged, cwd, platform }) ?? [],
  );

interface Given {
  readonly isPackaged: boolean;
  readonly cwd?: string | undefined;
  readonly platform?: NodeJS.Platform;
}

/** The path that a word hands over; null where it is something else. */
function givenFile(
  words: readonly string[],
  index: number,
  { isPackaged, cwd = '', platform = process.platform }: Given,
): string | null {
  const [before = '', word = ''] = [words[index - 1], words[index]];
  const isValue = Object.entries(OPTIONS).some(
    ([name, { type }]) => type === 'string' && before === `--${name}`,
  );
  if (isValue || word === '' || word.startsWith('-')) return null;
  const said = word.startsWith('file:') ? pathOf(word) : word;
  if (said === null) return null;
  const path = isAbsolute(said) ? said : resolve(cwd, said);
  if (isFile(path)) return path;
  // Chromium has switches that begin with "/" on Windows, and any of its others may be waiting for a value.
  const isSwitch = before.startsWith('-') || (platform === 'win32' && said.startsWith('/'));
  return isPackaged && isAbsolute(said) && !isSwitch ? path : null;
}

/** Null for the URL of a file elsewhere, or of none. */
function pathOf(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

/** Whether a path is a file; false where it cannot be looked at. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A flag that is ours or nearly so is kept, for parseServeFlags to read or to name; so is a word that follows one. */
function withoutForeign(args: readonly string[]): string[] {
  const ours: string[] = [];
  let follows = false;
  for (const arg of args) {
    if (arg.startsWith('-')) follows = isOurs(arg);
    if (follows) ours.push(arg);
  }
  return ours;
}

const NAMES = ['help', ...Object.keys(OPTIONS)];

function isOurs(arg: string): boolean {
  const [, name] = /^--([^=]+)/.exec(arg) ?? [];
  return name !== undefined && NAMES.some((own) => isNearly(name, own));
}
