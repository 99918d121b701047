import { expect, test } from 'vitest';
import { freshSeed } from '../../helpers/chance.ts';
import { runFiles } from './hunt-files.ts';

/*
 * Files as loggers and weather services write them, whose true values are known: each value is right, or refused, or its
 * doubt is said. Thousands of them: npm run files -- --files N
 */

const FILES = 60;
const fresh = freshSeed();

test.each([1, fresh])(
  'no file is read wrongly without a word, from seed %i on',
  { timeout: 300_000 },
  async (seed) => {
    const { counts, silent } = await runFiles(seed, FILES);
    expect(silent).toEqual([]);
    expect(counts.right).toBeGreaterThan(FILES / 3);
  },
);
