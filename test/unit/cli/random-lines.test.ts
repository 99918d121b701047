import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { UsageError } from '#core/base/errors.ts';
import { commandOf } from '#core/cli/commands.ts';
import { stepsOf } from '#core/cli/completion.ts';
import { parseFlags, parseWord } from '#core/cli/parse.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { commands, whyNotTaken } from '../../helpers/commands.ts';

/* Random command lines: each is read, or refused in a sentence that names the word; completion offers what parses, and nothing else. */

const known = commands.flatMap(({ name }) => name.split(' '));
const word = fc.oneof(
  fc.constantFrom(
    ...known,
    '--help',
    '-h',
    '--',
    '-',
    '--json',
    '--data',
    '-f',
    '',
    '--=',
    '--no-json',
    '-1',
    '__proto__',
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
  fc.string({ maxLength: 8 }).map((text) => `--${text}`),
);

test('a line is of a command that it begins with, or its first words are named', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (line) => {
      const isOne = commands.filter(({ name }) => name.split(' ').every((each, i) => line[i] === each));
      try {
        const { command, rest } = commandOf(commands, line);
        expect(isOne).toContain(command);
        expect([...command.name.split(' '), ...rest]).toEqual(line);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
        expect(isOne).toEqual([]);
        expect((error as Error).message).toContain(line[0]);
        expect((error as Error).message).toContain('See fieldbench --help.');
      }
    }),
    { numRuns: someRuns(4000) },
  );
});

const OPTIONS = {
  data: { type: 'string' },
  json: { type: 'boolean' },
  tag: { type: 'string', multiple: true },
} as const;

test('flags and their word are read as they were written, whatever their values are', () => {
  const value = fc.string({ maxLength: 10, unit: 'grapheme' });
  const spoken = value.filter((text) => !text.startsWith('-'));
  fc.assert(
    fc.property(
      fc.record({
        data: value,
        json: fc.boolean(),
        tags: fc.array(value, { maxLength: 3 }),
        plain: spoken,
        name: spoken,
      }),
      fc.nat({ max: 10 }),
      ({ data, json, tags, plain, name }, at) => {
        const flags = [
          [`--data=${data}`],
          ...(json ? [['--json']] : []),
          ...tags.map((tag) => [`--tag=${tag}`]),
          ...(plain === '' ? [] : [['--tag', plain]]),
        ];
        const lines = flags.toSpliced(at % (flags.length + 1), 0, [name]).flat();
        const wanted = {
          data,
          ...(json && { json }),
          ...(tags.length + (plain === '' ? 0 : 1) > 0 && {
            tag: [...tags, ...(plain === '' ? [] : [plain])],
          }),
        };
        if (name === '') {
          expect(() => parseWord(lines, OPTIONS, 'a NAME')).toThrow('a NAME is needed, got none.');
          return;
        }
        const read = parseWord(lines, OPTIONS, 'a NAME');
        expect([read.word, { ...read.values }]).toEqual([name, wanted]);
      },
    ),
    { numRuns: someRuns(4000) },
  );
});

test('whatever is wrong with flags is a sentence that names one of the words', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (line) => {
      try {
        parseFlags(line, OPTIONS);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
        const { message } = error as Error;
        expect(message).toContain('See --help.');
        expect(line.some((each) => message.includes(each.split('=')[0] ?? ''))).toBe(true);
      }
    }),
    { numRuns: someRuns(4000), examples: [[['-𐀀']], [['-ab']], [['--.  ']]] },
  );
});

test('completion offers the flags that a command takes, and no other', async () => {
  const steps = new Map((await stepsOf(commands)).map(({ words, next }) => [words, next]));
  const every = new Set([...steps.values()].flat().filter((each) => each.startsWith('--')));
  expect(every.size).toBeGreaterThan(80);
  for (const command of commands)
    for (const flag of every) {
      if (flag === '--help' || flag === '--version') continue;
      const isOffered = steps.get(command.name)?.includes(flag) ?? false;
      expect([command.name, flag, (await whyNotTaken(command, flag)) === null]).toEqual([
        command.name,
        flag,
        isOffered,
      ]);
    }
});
