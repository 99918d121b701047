import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { alternatives } from '#shared/values/text.ts';
import { UsageError } from '../base/errors.ts';
import { nearestOf } from '../base/slips.ts';

/** Begins what Node says of flags that look like values; what it names before may have full stops of its own. */
const SECOND_SENTENCE = /\.\s(?:To specify a positional|Did you forget|This command does not)/;

/** Returns the values of flags; words without a flag are taken by none. Throws UsageError, which names what is unknown. */
export function parseFlags<const T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // Node's own text names the flag.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split(SECOND_SENTENCE);
    const flag = /^Option '(\S+)' argument is ambiguous/.exec(reason)?.[1];
    if (flag)
      throw new UsageError(
        `${flag} lacks its value; one that begins with "-" is written as ${flag}=VALUE. See --help.`,
      );
    const short = args.find((each) => /^-[^-]/.test(each));
    // Node's text has the first UTF-16 unit of a word alone.
    if (short !== undefined && /^Unknown option '-[^-]/.test(reason))
      throw new UsageError(`Unknown option '${short}'. See --help.`);
    const unknown = /^Unknown option '--([^']+)'/.exec(reason)?.[1];
    const near = unknown === undefined ? null : nearestOf(unknown, Object.keys(options));
    const meant = near === null ? '' : ` Did you mean --${near}?`;
    throw new UsageError(`${reason}.${meant} See --help.`);
  }
}

/**
 * Returns the values of flags and the one word without a flag. Throws UsageError as `parseFlags`, and without that word; `what` says
 * what it is, null that it may be left away: it is empty then.
 */
export function parseWord<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  what: string | null,
) {
  const takesValue = (word: string | undefined) =>
    word !== undefined && options[word.slice(2)]?.type === 'string' && !word.includes('=');
  const at = args.findIndex((each, i) => !each.startsWith('--') && !takesValue(args[i - 1]));
  const word = args[at] ?? '';
  if (word === '' && what !== null) throw new UsageError(`${what} is needed, got none. See --help.`);
  return { word, values: parseFlags(at === -1 ? args : args.toSpliced(at, 1), options) };
}

/** The same with any number of words, at least one. */
export function parseWords<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  what: string,
) {
  const takesValue = (word: string | undefined) =>
    word?.startsWith('--') === true && options[word.slice(2)]?.type === 'string';
  const isWord = (each: string, i: number) => !each.startsWith('--') && !takesValue(args[i - 1]);
  const words = args.filter(isWord);
  if (words.length === 0) throw new UsageError(`${what} is needed, got none. See --help.`);
  return {
    words,
    values: parseFlags(
      args.filter((each, i) => !isWord(each, i)),
      options,
    ),
  };
}

/** Returns one of some words that a flag takes. Throws UsageError, which lists them. */
export function oneOf<const T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`--${name} takes ${alternatives(choices)}, got "${value}".`);
}

/** Returns a flag's path, null where it is not given. Throws UsageError where it is empty. */
export function givenPath(name: string, value: string | undefined): string | null {
  if (value === '') throw new UsageError(`--${name} takes a path, got "".`);
  return value ?? null;
}

/** The same, absolute. */
export function absolutePath(name: string, value: string | undefined): string | null {
  const given = givenPath(name, value);
  return given === null ? null : resolve(given);
}
