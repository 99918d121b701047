import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Finding, Hunt } from './hunt.ts';

const PROJECT = join(import.meta.dirname, '../..');
const FOLDER = join(PROJECT, 'test-results');

/** Writes the scripts of a finding to a file; answers what people need to have it again and to understand it. */
export async function report(
  { kind, seed }: Pick<Hunt, 'kind' | 'seed'>,
  { scripts, difference }: Finding,
): Promise<string> {
  const file = join(FOLDER, `differential-${kind}-${seed}.json`);
  const json = JSON.stringify(scripts, null, 1);
  await mkdir(FOLDER, { recursive: true });
  await writeFile(file, `${json}\n`);
  return [
    difference.message,
    json,
    difference.shell,
    `Again: npm run differential -- --replay ${relative(PROJECT, file)}`,
    `From the beginning: npm run differential -- --only ${kind} --seed ${seed}`,
  ].join('\n\n');
}
