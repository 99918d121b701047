import { afterAll, describe, expect, test } from 'vitest';
import { inspectFile } from '#core/import/inspect.ts';
import { inspect } from '#core/import/inspect-work.ts';
import { isNumber, readNumber } from '#core/import/text/number-text.ts';
import { isTimeName } from '#core/import/time/time-name.ts';
import { createThreads } from '#core/threads/threads.ts';
import { PRESENT } from '../../helpers/clock.ts';
import { refusalOf, importFile } from '../../helpers/files/imports.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';

const threads = createThreads({ script: WORKER_SCRIPT });
afterAll(() => threads.close());

/** ms that the quickest of some runs takes: what else the machine does only adds to them. */
function quickest(work: () => unknown, runs = 5): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/**
 * How many times as long four times as much takes: 4 where the cost is its length, 16 where it is the square. What is over
 * at once tells nothing, so there is a floor under it; a machine that is busy with something else is asked again.
 */
function growth(work: (size: number) => unknown, size: number): number {
  let least = Infinity;
  for (let attempt = 0; attempt < 4 && least > LINEAR; attempt++) {
    const once = quickest(() => work(size));
    least = Math.min(least, quickest(() => work(size * 4)) / Math.max(once, 0.05));
  }
  return least;
}
/** Well above 4 and below 16. */
const LINEAR = 9;

const inspectText = (text: string) => inspectFile({ now: PRESENT, head: Buffer.from(text), complete: true });

describe('a hostile file costs no more than its length', () => {
  test.each([
    ['digits', '1', 'x'],
    ['digits with a decimal comma', '1', ',5,'],
    ['grouped digits', '1,111', 'x'],
    ['digits behind zeros', '0', '1x'],
  ])('a cell of %s that is no number', (_, piece, end) => {
    const text = (size: number) => piece.repeat(size) + end;
    expect(isNumber(text(40_000))).toBe(false);
    expect(growth((size) => readNumber(text(size), '.') ?? readNumber(text(size), ','), 10_000)).toBeLessThan(
      LINEAR,
    );
  });

  test('a header of millions of columns', async () => {
    expect(await refusalOf(importFile('a,'.repeat(2_000_000)))).toBe(
      'line 1: a row must have at most 65,536 fields.',
    );
  });

  test('a name of many times that is none', () => {
    expect(isTimeName(`${'time '.repeat(20_000)}\n`)).toBe(false);
    expect(growth((size) => isTimeName(`${'time '.repeat(size)}\n`), 10_000)).toBeLessThan(LINEAR);
  });

  test.each([
    ['equal names', (n: number) => `a,`.repeat(n)],
    ['equal names, too long', (n: number) => `${'a'.repeat(200)},`.repeat(n)],
    [
      'long names of one beginning, each twice',
      (n: number) => Array.from({ length: n }, (_, i) => `${'a'.repeat(124)}${i >> 1},`).join(''),
    ],
    ['dates and times of day', (n: number) => Array.from({ length: n }, (_, i) => `time ${i},`).join('')],
  ])('a header of %s', (_, header) => {
    const file = (n: number) =>
      `${header(n)}last\n${'2015-02-04,'.repeat(n)}17:51\n${'2015-02-05,'.repeat(n)}17:51\n`;
    expect(inspectText(file(1000)).columns).toHaveLength(1001);
    expect(growth((n) => inspectText(file(n)), 300)).toBeLessThan(LINEAR);
  });

  test('equal names are numbered as before', () => {
    const { columns } = inspectText('time,a,a,a 2,a\n2015-02-04 17:51,1,2,3,4\n');
    expect(columns.map(({ name }) => name)).toEqual(['time', 'a', 'a 2', 'a 2 2', 'a 3']);
    expect(
      new Set(inspectText(`${'a,'.repeat(4000)}b\n${'1,'.repeat(4000)}2\n`).columns.map(({ name }) => name))
        .size,
    ).toBe(4001);
  });

  test('a table wider than a device is refused at once, and says why', async () => {
    const wide = `time,${'a,'.repeat(32_000)}\n2015-02-04 17:51${',1'.repeat(32_001)}\n`;
    expect(() => inspectText(wide)).toThrow(
      'line 1: a table has at most 4,099 columns, since a device holds at most 4,096 keys; got 32,002.',
    );
    expect(await refusalOf(importFile(wide))).toMatch(/^line 1: a table has at most 4,099 columns/);
    expect(
      growth((n) => expect(() => inspectText(`${'a,'.repeat(n)}\n`)).toThrow('a table has'), 16_000),
    ).toBeLessThan(LINEAR);
  });

  test('lines of JSON with a name each', () => {
    const file = (n: number) => Array.from({ length: n }, (_, i) => `{"k${i}":1}\n`).join('');
    expect(inspectText(file(500)).columns).toHaveLength(500);
    expect(growth((n) => inspectText(file(n)), 300)).toBeLessThan(LINEAR);
  });
});

test('lines of JSON say of what kind the values of each name are', () => {
  const { columns } = inspectText(
    '{"a":1,"b":true,"c":null,"d":1}\n{"a":2,"b":false,"d":"x","e":null}\n{"a":null,"e":true,"timestamp":5}\n',
  );
  expect(columns.map(({ name, role, kind }) => `${name} ${role} ${kind}`)).toEqual([
    'timestamp time time',
    'a value number',
    'b value boolean',
    'd value text',
    'e value boolean',
  ]);
});

describe('looking at a file', () => {
  const head = Buffer.from('time,a\n2015-02-04 17:51,1\n');

  test('says in a thread what it says here', async () => {
    const file = { now: PRESENT, head, complete: true };
    expect(await inspect(file, threads)).toEqual(inspectFile(file));
  });

  test('refuses in a thread as it does here', async () => {
    const file = { now: PRESENT, head: Buffer.from('PK\u0003\u0004xl/'), complete: true };
    await expect(inspect(file, threads)).rejects.toMatchObject({
      name: 'Refusal',
      status: 400,
      message: expect.stringContaining('an Excel workbook'),
    });
  });
});
