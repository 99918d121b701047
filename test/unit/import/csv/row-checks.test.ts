import { describe, expect, test } from 'vitest';
import { PRESENT } from '../../../helpers/clock.ts';
import { clock, file, many, read, refusal } from '../../../helpers/files/csv-files.ts';
import { inspectFile } from '#core/import/inspect.ts';
import { inspectText } from '../inspecting.ts';

/* What a row shows of the rows around it. */

const day = '2015-02-04 17:5';

describe('columns that are named anew are refused, also where bad rows are left out', () => {
  test.each([
    ['in another order', 'time,b,a'],
    ['with another one among them', 'time,a,c'],
    ['with all others', 'Zeit,c,d'],
  ])('%s', async (_, again) => {
    const text = file('time,a,b', `${day}1:00,1,2`, again, `${day}2:00,3,4`);
    expect(await refusal(text, { on_error: 'keep' })).toMatch(
      /^line 3: columns are named anew, otherwise than in line 1: .* Nothing was imported/,
    );
    expect(inspectText(text)).toMatchObject({ state: 'cannot-import', problem_with: 'rows' });
  });

  test('and a row of words is a row that cannot be read', async () => {
    const text = file('time,a,b', `${day}1:00,1,2`, 'end,of,it', `${day}2:00,3,4`);
    expect((await read(text, { on_error: 'keep' })).values).toHaveLength(2);
  });
});

describe('a text that goes on over lines that are rows', () => {
  const text = file(
    'time,note,b',
    `${day}1:00,"open,1`,
    `${day}2:00,fine,2`,
    `${day}3:00,shut",3`,
    `${day}4:00,x,4`,
  );

  test('is refused', async () => {
    expect(await refusal(text)).toMatch(
      /^line 2: the text that begins with "open,1.* seem to be rows: a " is probably/,
    );
    const { values, result } = await read(text, { on_error: 'keep' });
    expect(values).toEqual([{ note: 'x', b: 4 }]);
    expect(result.errors).toMatchObject([{ line: 2 }]);
  });

  test.each(['two\nlines', 'a list: 1,2\n3,4', '2015\nand later'])(
    'and one with other lines is read: %j',
    async (note) => {
      const { values } = await read(file('time,note,b', `${day}1:00,"${note}",1`, `${day}2:00,x,4`));
      expect(values[0]).toEqual({ note, b: 1 });
    },
  );
});

describe('a file that ends inside its last value', () => {
  const rows = many((n) => `${clock(n)},${20 + (n % 7)}.25`, 6000);

  test('is told, at first sight by its end', async () => {
    const text = file('time,v', ...rows, `${clock(6001)},21.`);
    expect((await read(text)).notes).toMatch(/its last value, "21\." in "v", .* it may be cut/);
    const bytes = Buffer.from(text);
    const found = inspectFile({
      now: PRESENT,
      head: bytes.subarray(0, 65_536),
      tail: bytes.subarray(-500),
      complete: false,
    });
    expect(found.notes.join()).toMatch(/its last value, "21\." in "v", .* it may be cut/);
  });

  test.each([
    ['a whole number', ['1013', '1012', '10']],
    ['a text', ['open', 'shut', 'op']],
  ])('%s', (_, values) => {
    const text = file('time,v', ...values.map((value, row) => `${day}${row}:00,${value}`));
    expect(inspectText(text).notes.join()).toMatch(/it may be cut/);
    expect(inspectText(`${text}\n`).notes.join()).not.toMatch(/it may be cut/);
    expect(inspectText(`${text}\u001A`).notes.join()).not.toMatch(/it may be cut/);
  });

  test('also where a point stands before thousands', () => {
    const thousands = ['1.014,1', '1.004,4', '1.009'].map((value, row) => `${day}${row}:00;${value}`);
    expect(inspectText(file('time;v', ...thousands)).notes.join()).toMatch(/"1\.009" in "v".* it may be cut/);
  });

  test.each([['9.8'], ['21.50'], ['19.25']])('and not where the last value is whole: %s', (last) => {
    const before = last.length === 3 ? ['21.5', '19.5'] : ['21.25', '19.75'];
    const text = file('time,v', ...[...before, last].map((value, row) => `${day}${row}:00,${value}`));
    expect(inspectText(text).notes.join()).not.toMatch(/it may be cut/);
  });
});

test('a column of milliseconds beside whole seconds is told', async () => {
  const rows = (time: string) => file('time,ms,v', `${time},120,1`, `${time},620,2`);
  expect(inspectText(rows(`${day}1:00`)).doubts).toMatchObject([
    { setting: 'time_column', options: ['time'], columns: ['time', 'ms'] },
  ]);
  expect((await read(rows(`${day}1:00`))).notes).toMatch(
    /"ms" may hold the milliseconds of the times of "time"/,
  );
  expect(inspectText(rows(`${day}1:00.500`)).doubts).toEqual([]);
});

test('a first "1,234" in quotes behind whole numbers is told, however late', async () => {
  const late = (rows: readonly string[]) =>
    file('time,v', ...rows, `${clock(9001)},"1,234"`, `${clock(9002)},7`);
  const whole = many((n) => `${clock(n)},${n % 900}`, 9000);
  const { values, notes } = await read(late(whole));
  expect(values.at(-2)).toEqual({ v: 1234 });
  expect(notes).toMatch(/"v" holds "1,234" in line 9002, which has three decimals or is above 1,000/);
  const points = many((n) => `${clock(n)},${n % 900}.5`, 9000);
  expect((await read(late(points))).notes).not.toMatch(/three decimals/);
  const threes = many((n) => `${clock(n)},1.${100 + (n % 900)}`, 9000);
  expect((await read(late(threes))).notes).not.toMatch(/three decimals/);
});
