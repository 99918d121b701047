import { expect, test } from 'vitest';
import { runFiles } from './hunt-files.ts';

/*
 * Files as loggers and weather services write them, whose true values are known: each value is right, or refused, or its
 * doubt is said. Thousands of them: npm run files -- --files N
 */

const FILES = 60;

test.each([1, 5000])(
  'no file is read wrongly without a word, from seed %i on',
  { timeout: 300_000 },
  async (seed) => {
    const { counts, silent } = await runFiles(seed, FILES);
    expect(silent).toEqual([]);
    expect(counts.right).toBeGreaterThan(FILES / 3);
  },
);
