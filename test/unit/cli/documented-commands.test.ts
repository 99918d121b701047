import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { helpOf } from '#core/cli/commands.ts';
import { commands, whyNotParsed, wordsOf } from '../../helpers/commands.ts';

/* Each command that a page names is one, with flags that it has: so nobody copies what is refused. */

const project = resolve(import.meta.dirname, '../../..');
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(project, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** What follows the program's name, as pages write it; what encrypted files are bound to begins so, too. */
const COMMAND =
  /^(?:\S*\/)?(?:npm run )?fieldbench(?: --)? (?=[-a-z])(?!vault journal )(.+)$|^npm run (serve)(?: --(.*))?$/;

/** Lines of blocks and texts in backquotes that are a command of this program. */
function linesIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+(?:\n[^`\n]+)?)`/g)].map(
    ([, span = '']) => span.replaceAll(/\s+/g, ' ').replaceAll('\\|', '|'),
  );
  return [...blocks, ...spans].flatMap((line) => {
    const [, command, serve, flags = ''] = COMMAND.exec(line.trim()) ?? [];
    if (serve !== undefined) return [`serve ${flags}`];
    return command === undefined ? [] : [command];
  });
}

/** `keys list|create` is two commands; what may be left away stands in brackets, and what is to be put in its place is no flag. */
const alternativesOf = (line: string): string[][] => {
  const words = wordsOf(line.replaceAll(/\[flags\]|[[\]…]/g, ' '));
  const at = words.findIndex((word) => /^[a-z-]+(?:\|[a-z-]+)+$/.test(word));
  if (at === -1) return [words];
  return (words[at] ?? '').split('|').map((one) => words.with(at, one));
};

const found = pages.flatMap((page) =>
  linesIn(readFileSync(join(project, page), 'utf8')).map((line) => [page, line] as const),
);

test('pages name commands', () => {
  expect(found.length).toBeGreaterThan(60);
  expect(
    linesIn('```sh\nfieldbench stop # now\nls\n```\n`npm run fieldbench -- open`, `fieldbench.json`'),
  ).toEqual(['stop # now', 'open']);
});

test.each(found)('%s: fieldbench %s', async (_page, line) => {
  for (const words of alternativesOf(line))
    if (!['--help', '--version'].includes(words[0] ?? ''))
      expect([words, await whyNotParsed(words)]).toEqual([words, null]);
});

test('what is not there is found', async () => {
  expect(await whyNotParsed(wordsOf('recods list'))).toContain('There is no command "recods"');
  expect(await whyNotParsed(wordsOf('records list --device x --formt csv'))).toContain(
    "Unknown option '--formt'",
  );
  expect(await whyNotParsed(wordsOf('records import FILE --zon=UTC'))).toContain('Did you mean --zone?');
});

test.each(commands)('the help of $name has an example that parses', async (command) => {
  const help = await helpOf(command);
  const examples = [...help.matchAll(/^ {2}fieldbench (.+)$/gm)].map(([, line = '']) => line);
  expect(examples.length).toBeGreaterThan(0);
  for (const line of examples) {
    expect(line.startsWith(command.name)).toBe(true);
    expect(await whyNotParsed(wordsOf(line))).toBe(null);
  }
});

test('the page of the command line names every command', () => {
  const running = readFileSync(join(project, 'docs/running.md'), 'utf8');
  const named = linesIn(running)
    .flatMap(alternativesOf)
    .map((words) => words.join(' '));
  for (const { name } of commands)
    expect([name, named.some((line) => line === name || line.startsWith(`${name} `))]).toEqual([name, true]);
});
