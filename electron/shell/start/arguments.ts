import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { OPTIONS } from '#core/cli/flags.ts';
import { isNearly } from '#core/cli/slips.ts';

/**
 * The app's own flags. In development they come after the script that Electron was given, and are all ours: switches for
 * Chromium go before that script. An installed app has no script, and gets switches that are none of its own: AppImage
 * adds --no-sandbox, installers --updated, people --ozone-platform=x11. Those are left out.
 */
export function appArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  const flags = ownWords(argv, isPackaged).filter((_arg, index, own) => !isGiven(own, index));
  return isPackaged ? withoutForeign(flags) : flags;
}

/** What follows the program, and in development the script. */
function ownWords([, ...args]: readonly string[], isPackaged: boolean): readonly string[] {
  return isPackaged ? args : args.slice(args.findIndex((arg) => !arg.startsWith('-')) + 1);
}

/**
 * The files that a desktop hands to the app, by "Open with" or a drop on its icon: absolute paths that no flag of ours is
 * waiting for. Half a path that nobody quoted is none.
 */
export const filesToOpen = (argv: readonly string[], isPackaged: boolean): readonly string[] =>
  ownWords(argv, isPackaged).filter((_arg, index, own) => isGiven(own, index));

function isGiven(words: readonly string[], index: number): boolean {
  const [before, word = ''] = [words[index - 1], words[index]];
  const isValue = Object.entries(OPTIONS).some(
    ([name, { type }]) => type === 'string' && before === `--${name}`,
  );
  return !isValue && isAbsolute(word) && isFile(word);
}

/** What the system cannot even look at is none: whoever reads the flags names it. */
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
