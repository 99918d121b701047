import { describe, expect, test } from 'vitest';
import { parseServeFlags } from '#core/cli/flags.ts';

describe('--seed', () => {
  test.each([
    [[], null],
    [['--seed', '42'], 42],
    [['--seed=0'], 0],
    [['--seed', '007'], 7],
    [['--seed', '9007199254740991'], Number.MAX_SAFE_INTEGER],
  ])('%j', (flags, seed) => {
    expect(parseServeFlags(flags).seed).toBe(seed);
  });

  test.each(['', 'random', '-1', '1.5', '1e3', '0x10', ' 1', '9007199254740992'])(
    'refuses "%s" and says what it takes',
    (value) => {
      expect(() => parseServeFlags([`--seed=${value}`])).toThrow(
        `--seed takes a whole number from 0 to 9007199254740991, such as 42, got "${value}".`,
      );
    },
  );

  test('does not go with --strict, nor with a database', () => {
    expect(() => parseServeFlags(['--strict', '--seed', '1'])).toThrow('--seed is beyond the /v2 document');
    expect(() => parseServeFlags(['--store', 'postgres://u@h/d', '--seed', '1'])).toThrow(
      '--seed is for a data directory',
    );
  });

  test('goes with a clock', () => {
    expect(parseServeFlags(['--seed', '1', '--clock', 'frozen'])).toMatchObject({
      seed: 1,
      clock: { mode: 'frozen' },
    });
  });
});
