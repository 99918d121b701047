import type { Command, Loaded } from './command.ts';
import { UsageError } from '../base/errors.ts';
import { parseWord } from './parse.ts';

/* Completion of the command line for shells, made from the table of commands. */

/** What follows the words of a line: commands or flags. */
interface Step {
  readonly words: string;
  readonly next: readonly string[];
}

const SHELLS = { bash, zsh, fish } as const;
const NAMES = Object.keys(SHELLS) as readonly (keyof typeof SHELLS)[];

/** `fieldbench completion SHELL`. */
export function completionOf(commands: () => readonly Command[]): Loaded {
  return {
    flags: `  SHELL               ${NAMES.join(', ')}
  --json              errors for machines

  fieldbench completion bash > ~/.local/share/bash-completion/completions/fieldbench`,
    async run(args, { print }) {
      const { word } = parseWord(args, { json: { type: 'boolean' } }, 'a SHELL');
      const shell = NAMES.find((one) => one === word);
      if (shell === undefined) throw new UsageError(`completion takes ${NAMES.join(', ')}, got "${word}".`);
      print(SHELLS[shell](await stepsOf(commands())));
      return 0;
    },
  };
}

/** The longest first: the first one that a line begins with counts. */
export async function stepsOf(commands: readonly Command[]): Promise<readonly Step[]> {
  const after = new Map<string, Set<string>>([['', new Set(['--help', '--version'])]]);
  const add = (words: string, next: string) => {
    const known = after.get(words) ?? new Set();
    after.set(words, known.add(next));
  };
  for (const { name, load } of commands) {
    const [first = '', second] = name.split(' ');
    add('', first);
    if (second !== undefined) add(first, second);
    const { flags } = await load();
    for (const [flag] of flags.matchAll(/(?<=^ +|, )--[a-z][a-z-]*/gm)) add(name, flag);
    add(name, '--help');
  }
  return [...after]
    .map(([words, next]) => ({ words, next: [...next].toSorted() }))
    .toSorted((a, b) => b.words.length - a.words.length);
}

function bash(steps: readonly Step[]): string {
  const cases = steps.map(
    ({ words, next }) =>
      `    ${patternOf(words)}) COMPREPLY=($(compgen -W '${next.join(' ')}' -- "$word")) ;;`,
  );
  return `_fieldbench() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1} "
  case "$line" in
${cases.join('\n')}
  esac
}
complete -o default -F _fieldbench fieldbench`;
}

function zsh(steps: readonly Step[]): string {
  const cases = steps.map(({ words, next }) => `    ${patternOf(words)}) compadd -- ${next.join(' ')} ;;`);
  return `#compdef fieldbench
_fieldbench() {
  local line="\${words[2,CURRENT-1]} "
  case "$line" in
${cases.join('\n')}
  esac
}
compdef _fieldbench fieldbench`;
}

function fish(steps: readonly Step[]): string {
  const lines = steps.flatMap(({ words, next }) => {
    // A group, without one of its commands yet, or a command.
    const isGroup = words === '' || steps.some((step) => step.words.startsWith(`${words} `));
    const condition = `__fieldbench_line '${words}' ${isGroup ? 'exactly' : 'begins'}`;
    return next.map((each) =>
      each.startsWith('--')
        ? `complete -c fieldbench -n "${condition}" -l ${each.slice(2)}`
        : `complete -c fieldbench -f -n "${condition}" -a ${each}`,
    );
  });
  return `function __fieldbench_line
  set -l line (commandline -opc)
  set -l words (string join ' ' $line[2..-1])
  if test "$argv[2]" = exactly
    test "$words" = "$argv[1]"
  else
    string match -q -- "$argv[1]*" "$words"
  end
end
${lines.join('\n')}`;
}

/** Of a shell's \`case\`: a line that begins with these words. */
const patternOf = (words: string) => (words === '' ? '*' : `'${words} '*`);
