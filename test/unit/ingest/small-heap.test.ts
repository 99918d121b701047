import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/* Memory follows one record, and not how many a body holds (docs/running.md, "Limits"). */

const CHILD = join(import.meta.dirname, 'fixture/small-heap.ts');
const HEAP = '--max-old-space-size=48';
const TOO_MANY = 'A request stores at most 1,000,000 records; send the others in further ones.';

async function read(form: string, text: string, times: number): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [HEAP, CHILD, form, text, String(times)]);
  return stdout;
}

test.each([
  ['json', '{"a":1},', 121, 'stored 991233'],
  ['lines', '{"a":1}\n', 121, 'stored 991233'],
  ['json', '{"a":{"b":1}},', 121, 'stored 991233'],
  ['json', '{"a":1},', 1024, TOO_MANY],
  ['lines', '{"a":1}\n', 1024, TOO_MANY],
  ['json', '[[[[', 2048, 'record 1: objects and arrays may be nested 4 deep'],
  ['json', '{"a":[', 1024, 'record 1: objects and arrays may be nested 4 deep'],
])('a heap of 48 MiB reads %s of %s, 8,192 times %d', async (form, text, times, outcome) => {
  expect(await read(form, text, times)).toBe(outcome);
});
