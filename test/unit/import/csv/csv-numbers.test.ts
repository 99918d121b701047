import { describe, expect, test } from 'vitest';
import { clock, file, many, read, refusal } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

describe('numbers keep what they say', () => {
  test('with decimal commas that come late', async () => {
    const text = file(
      'Zeit;T',
      ...many((n) => `${clock(n)};0`),
      `${clock(5000)};21,5`,
      `${clock(5001)};21,6`,
    );
    expect((await read(text)).values.slice(-3)).toEqual([{ T: 0 }, { T: 21.5 }, { T: 21.6 }]);
  });

  test('with another mark in each column, and both in one, which is said', async () => {
    const { values } = await read(
      file('time;lat;T', '2015-02-04 17:51:00;51.5;21,5', '2015-02-04 17:52:00;51.6;1.021,5'),
    );
    expect(values).toEqual([
      { lat: 51.5, T: 21.5 },
      { lat: 51.6, T: 1021.5 },
    ]);
    const mixed = await read(file('time;T', '2015-02-04 17:51:00;51.5', '2015-02-04 17:52:00;21,5'));
    expect(mixed.values).toEqual([{ T: 51.5 }, { T: 21.5 }]);
    expect(mixed.notes).toMatch(/"T" holds decimal points and decimal commas.*"21,5" in line 3/);
  });

  test('with thousands', async () => {
    const english = file(
      'time,a',
      '2015-02-04 17:51:00,"1,000.5"',
      '2015-02-04 17:52:00,"12,345"',
      '2015-02-04 17:53:00,7',
    );
    expect((await read(english)).values).toEqual([{ a: 1000.5 }, { a: 12345 }, { a: 7 }]);
    const german = file(
      'time;a',
      '2015-02-04 17:51:00;1.000,5',
      '2015-02-04 17:52:00;1.234',
      '2015-02-04 17:53:00;0,5',
    );
    expect((await read(german)).values).toEqual([{ a: 1000.5 }, { a: 1234 }, { a: 0.5 }]);
    expect(
      (await read(file('time;a', "2015-02-04 17:51:00;1'000.5", '2015-02-04 17:52:00;1\u202f000.5'))).values,
    ).toEqual([{ a: 1000.5 }, { a: 1000.5 }]);
  });

  test('where a comma may be either, as it was said; and it is said that it may', async () => {
    const text = file('time;a', '2015-02-04 17:51:00;1,234', '2015-02-04 17:52:00;5,678');
    const { values, notes } = await read(text);
    expect(values).toEqual([{ a: 1.234 }, { a: 5.678 }]);
    expect(notes).toMatch(
      /"a" stands before decimals or thousands cannot be told; the comma stands before decimals/,
    );
    expect((await read(text, { decimal_mark: '.' })).values).toEqual([{ a: 1234 }, { a: 5678 }]);
    expect((await read(file('time,a', '2015-02-04 17:51:00,"21,5"'), { decimal_mark: ',' })).values).toEqual([
      { a: 21.5 },
    ]);
  });

  test('and are refused where a late one shows that others may be wrong', async () => {
    const zeros = many((n) => `${clock(n)};0`);
    expect(await refusal(file('t;a', ...zeros, `${clock(5000)};1,234`), { on_error: 'keep' })).toMatch(
      /^line 4002: "a" holds "1,234", which has three decimals or is above 1,000. Say which is the decimal mark \[decimal_mark=\. or decimal_mark=,\]/,
    );
    expect(await refusal(file('t;a', ...many((n) => `${clock(n)};1.234`), `${clock(5000)};21,5`))).toMatch(
      /^line 4002: "a" holds "21,5", so that "1.234" in line 2 may be above 1,000/,
    );
  });

  test('or stay text, where digits would get lost, in all of the column', async () => {
    const text = file(
      'time,zip,serial,n',
      '2015-02-04 17:51:00,00501,9007199254740993,100000000000000000000',
      '2015-02-04 17:52:00,10501,17,2',
    );
    const { values, notes } = await read(text);
    expect(values).toEqual([
      { zip: '00501', serial: '9007199254740993', n: 1e20 },
      { zip: '10501', serial: '17', n: 2 },
    ]);
    expect(notes).toMatch(/"zip" is kept as text.*"00501"/);
    expect((await read(text, { number_columns: 'zip' })).values[0]).toMatchObject({ zip: 501 });
    expect((await read(text, { text_columns: 'n' })).values[1]).toMatchObject({ n: '2' });
    expect(await refusal(text, { text_columns: 'ort' })).toBe(
      'text_columns must be some of "time", "zip", "serial", "n", got "ort"',
    );
    expect(
      (await read(file('time,a', '2015-02-04 17:51:00,007.5', '2015-02-04 17:52:00,008'))).values,
    ).toEqual([{ a: 7.5 }, { a: 8 }]);
  });

  test('also in quotes that make text of others, where their column was said to hold numbers', async () => {
    const rows = many((n) => `${clock(n)},"${n}.5","${n}"`);
    const text = file('time,a,b', ...rows, `${clock(5000)},"off","7"`);
    expect((await read(text)).values[1]).toEqual({ a: '1.5', b: '1' });
    const { values, notes } = await read(text, { number_columns: 'a' });
    expect(values[1]).toEqual({ a: 1.5, b: '1' });
    expect(values.at(-1)).toEqual({ a: 'off', b: '7' });
    expect(values.filter(({ a }) => typeof a === 'number')).toHaveLength(4000);
    expect(notes).toMatch(/Numbers in quotes are read as text.*: "b"\./);
    expect(inspectText(text, { number_columns: 'a' }).columns[1]).toMatchObject({ kind: 'number' });
  });

  test('with the minus of typesetters, among texts too', async () => {
    const cold = await read(
      file('tid;t', '2023-01-13 00:00;−0,5', '2023-01-13 01:00;−12', '2023-01-13 02:00;1,5'),
    );
    expect(cold.values).toEqual([{ t: -0.5 }, { t: -12 }, { t: 1.5 }]);
    const rows = many((n) => `${clock(n)},${n % 3 === 0 ? 'door open' : n % 3 === 1 ? `−${n}.5` : n}`);
    const { values } = await read(file('time,t', ...rows));
    expect(values[3001]).toEqual({ t: -3001.5 });
    expect(values.filter(({ t }) => typeof t === 'string')).toHaveLength(1334);
  });

  test('and texts among them are counted, over the whole file', async () => {
    const text = file(
      'time,T',
      ...many((n) => `${clock(n)},${n}.5`),
      `${clock(5000)},door open`,
      `${clock(5001)},"7"`,
    );
    const { values, notes } = await read(text);
    expect(values.slice(-2)).toEqual([{ T: 'door open' }, { T: '7' }]);
    expect(notes).toMatch(/"T" holds 4,000 numbers and 2 texts; the first text is "door open" in line 4002/);
  });

  test('and words for a missing value stay texts where texts were chosen', async () => {
    const text = file('time,region', `${clock(0)},NA`, `${clock(1)},EU`, `${clock(2)},`, `${clock(3)},null`);
    expect((await read(text)).values).toEqual([{ region: 'EU' }]);
    const kept = [{ region: 'NA' }, { region: 'EU' }, { region: 'null' }];
    expect((await read(text, { text_columns: 'region' })).values).toEqual(kept);
  });
});
