import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { runFiles } from './hunt-files.ts';

/*
 * Files as loggers and weather services write them, whose true values are known: each value is right, or refused, or its
 * doubt is said. Thousands of them: npm run files -- --files N
 */

const FILES = 60;
const patience = { timeout: 300_000 };

async function readFiles(seed: number): Promise<void> {
  const { counts, silent } = await runFiles(seed, FILES);
  expect(silent).toEqual([]);
  expect(counts.right).toBeGreaterThan(FILES / 3);
}

test('no file is read wrongly without a word', patience, () => readFiles(1));

test('nor is one of a fresh seed', patience, () => withSeed(readFiles));
