import { commandOf, commandsIn } from '#core/cli/commands.ts';
import type { Command } from '#core/cli/command.ts';

/* Command lines as texts, and what of them parses. */

export const commands = commandsIn('');

/** Words of a line, of which those in quotes are one; what a shell does with the output, and its comment, is left out. */
export const wordsOf = (line: string): string[] =>
  Array.from(
    line.replace(/(?:\s+#|\s+[|>]\s).*$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, a, b, c]) => a ?? b ?? c ?? '',
  );

/** What no command has: whatever was read before it was known. */
const NEVER = '--no-such-flag';

/** Why a command does not take a flag, as the parser itself says; null where it does. Nothing is run. */
export async function whyNotTaken({ load }: Command, flag: string): Promise<string | null> {
  const { run } = await load();
  // Of those with a word that is needed, so that the flags are what is wrong.
  for (const words of [[], ['word']]) {
    const why = await run([...words, flag, NEVER], { print: unused, remark: unused }).then(
      () => 'it ran',
      (error: unknown) => (error as Error).message,
    );
    if (why.includes(NEVER) || why.startsWith(`${flag} lacks its value`)) return null;
    if (why.startsWith(`Unknown option '${flag}'`) || words.length > 0) return why;
  }
  return null;
}

const unused = () => {
  throw new Error('Nothing is to be printed.');
};

/** Why a line does not parse, behind `fieldbench`; null where its command and all of its flags are there. */
export async function whyNotParsed(words: readonly string[]): Promise<string | null> {
  try {
    const { command, rest } = commandOf(commands, words);
    for (const word of rest) {
      const [, flag] = /^(--[a-z][a-z-]*)(?:=|$)/.exec(word) ?? [];
      const why = flag === undefined || flag === '--help' ? null : await whyNotTaken(command, flag);
      if (why !== null) return why;
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
