import { describe, expect, it } from 'vitest';
import type { ImportSettings } from '#core/jobs/read-records.ts';
import { formatMicros } from '#shared/time.ts';
import { importFile, plain, refusalOf } from '../../helpers/imports.ts';

/* Files as they come from loggers, spreadsheets, data frames and collections of test files, and what becomes of them. */

const NO_TIME: ImportSettings = { time_column: '' };
const file = (...lines: string[]) => lines.join('\n');

async function read(text: string | Uint8Array, settings: ImportSettings = {}) {
  const { records, result } = await importFile(text, { settings });
  return {
    values: records.map(plain),
    times: records.map(({ timestamp }) => formatMicros(timestamp).replace(/\.?0+Z$/, 'Z')),
    notes: result.notes.join('\n'),
    result,
  };
}

const refusal = (text: string | Uint8Array, settings: ImportSettings = {}) =>
  refusalOf(importFile(text, { settings }));

/** Rows that fill the beginning by which a file is judged, and more. */
const many = (row: (n: number) => string, rows = 4000) => Array.from({ length: rows }, (_, n) => row(n));
const clock = (n: number) =>
  new Date(Date.UTC(2015, 1, 4) + n * 1000).toISOString().slice(0, 19).replace('T', ' ');

describe('files of the usual collections come in whole', () => {
  it.each<[string, string, Record<string, unknown>[]]>([
    [
      'a comma in quotes',
      'a,b\n1,"x, y"\n2,z',
      [
        { a: 1, b: 'x, y' },
        { a: 2, b: 'z' },
      ],
    ],
    [
      'doubled quotes',
      'a,b\n1,"ha ""ha"" ha"\n3,4',
      [
        { a: 1, b: 'ha "ha" ha' },
        { a: 3, b: 4 },
      ],
    ],
    [
      'JSON in a field',
      'k,v\n1,"{""type"": ""Point"", ""at"": [1,2]}"',
      [{ k: 1, v: '{"type": "Point", "at": [1,2]}' }],
    ],
    [
      'line breaks in quotes',
      'a,b,c\n1,2,3\n"Once upon \na time",5,6',
      [
        { a: 1, b: 2, c: 3 },
        { a: 'Once upon \na time', b: 5, c: 6 },
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n3,4\r\n',
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    ],
    [
      'CR alone',
      'a,b\r1,2\r3,x\r',
      [
        { a: 1, b: 2 },
        { a: 3, b: 'x' },
      ],
    ],
    [
      'CR alone and line breaks in quotes',
      'a,b\r1,"x\ny"\r3,"p\rq"\r',
      [
        { a: 1, b: 'x\ny' },
        { a: 3, b: 'p\rq' },
      ],
    ],
    [
      'letters of all kinds',
      'a,ü☃\n1,ʤ\n2,𝒳',
      [
        { a: 1, 'ü☃': 'ʤ' },
        { a: 2, 'ü☃': '𝒳' },
      ],
    ],
    ['a byte order mark and quoted names', '\uFEFF"a","b"\n1,x', [{ a: 1, b: 'x' }]],
    ['empty fields and an empty column', 'a,b,c\n1,,\n,,"x"', [{ a: 1 }, { c: 'x' }]],
    [
      'empty lines',
      '\na,b\n\n1,2\n\n\n3,4\n\n',
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    ],
    [
      'no header',
      '1,x,3\n4,y,6',
      [
        { 'column 1': 1, 'column 2': 'x', 'column 3': 3 },
        { 'column 1': 4, 'column 2': 'y', 'column 3': 6 },
      ],
    ],
    ['one column', 'a\n1\n2', [{ a: 1 }, { a: 2 }]],
    ['equal names', 'a,a,\n1,2,3', [{ a: 1, 'a 2': 2, 'column 3': 3 }]],
    [
      'names such as those of objects',
      '__proto__,constructor,toString\n1,2,3',
      [JSON.parse('{"__proto__":1,"constructor":2,"toString":3}') as Record<string, unknown>],
    ],
    ['a first line that says the delimiter', 'sep=;\na;b\n1;2,5', [{ a: 1, b: 2.5 }]],
    [
      'numbers large and small',
      'a,b\n1e21,5e-324\n-0.5,1180591620717411303424',
      [
        { a: 1e21, b: 5e-324 },
        { a: -0.5, b: 2 ** 70 },
      ],
    ],
    [
      'an inch mark inside a bare field',
      'a,b\n1,5" pipe\n2,x',
      [
        { a: 1, b: '5" pipe' },
        { a: 2, b: 'x' },
      ],
    ],
    ['tabs', 'a\tb\n1\tx, y\n', [{ a: 1, b: 'x, y' }]],
  ])('%s', async (_, text, values) => {
    expect((await read(text, NO_TIME)).values).toEqual(values);
  });

  it.each<[string, string, RegExp]>([
    ['rows of uneven widths', 'a,b\n1,2\n3\n4,5', /^line 3: expected 2 fields as in the first rows, got 1/],
    ['fewer fields than names', 'a,b,c\n1,2\n3,4', /^line 2: expected 3 fields as in the first rows, got 2/],
    ['a stray quote', 'a,b\n1,"x"y', /^line 2: a " inside a text must be doubled/],
    [
      'a name less than columns, which may lack first or last',
      'foo,bar,baz\n1,2,3,4',
      /^line 2: rows have 4 fields and 3 names.*Set unnamed_column to "first" or "last"/,
    ],
    [
      'lines that end in two ways',
      `a,b\n1,2\n3,4\r5,6\n`,
      /^line 3: a field without quotes holds a line break/,
    ],
    [
      'a title before the table',
      'Logger 7\nSerial 4711\n\ntime,a\n2015-02-04 17:51:00,1',
      /one seems to begin in line 4. Set first_line to 4/,
    ],
  ])('or are refused in words: %s', async (_, text, message) => {
    expect(await refusal(text, NO_TIME)).toMatch(message);
  });

  it('behind lines that are passed over', async () => {
    const text = 'Logger 7\n"Serial, 4711"\n\ntime,a\n2015-02-04 17:51:00,1\n2015-02-04 17:52:00,x y';
    const { values, result } = await read(text, { first_line: 4 });
    expect(values).toEqual([{ a: 1 }, { a: 'x y' }]);
    expect(result.notes.join()).toMatch(/"a" holds 1 number and 1 text; the first text is "x y" in line 6/);
  });
});

describe('values stay under their names', () => {
  const rows = ['2015-02-04 17:51:00,21.5,40,', '2015-02-04 17:52:00,21.6,41,'];

  it.each<[string, string]>([
    ['commas', file('time,temp,hum', ...rows)],
    ['semicolons', file('time,temp,hum', ...rows).replaceAll(',', ';')],
    ['tabs', file('time,temp,hum', ...rows).replaceAll(',', '\t')],
  ])('where rows alone end with a delimiter: %s', async (_, text) => {
    const { values, times, notes } = await read(text);
    expect(values).toEqual([
      { temp: 21.5, hum: 40 },
      { temp: 21.6, hum: 41 },
    ]);
    expect(times).toEqual(['2015-02-04T17:51:00Z', '2015-02-04T17:52:00Z']);
    expect(notes).toMatch(/Rows end with a delimiter that the header lacks/);
    expect((await read(text, { time_column: 'time' })).values).toEqual(values);
  });

  it('where only some rows do, whichever come first', async () => {
    const values = [
      { temp: 21.5, hum: 40 },
      { temp: 21.6, hum: 41 },
    ];
    for (const text of [
      file('time,temp,hum', rows[0]!, rows[1]!.slice(0, -1)),
      file('time,temp,hum', rows[0]!.slice(0, -1), rows[1]!),
    ])
      expect((await read(text)).values).toEqual(values);
  });

  it('with a row number that has a name, and a delimiter at the end', async () => {
    const { values } = await read(file('no,time,a', '5,2015-02-04 17:51:00,7,', '9,2015-02-04 17:52:00,8,'));
    expect(values).toEqual([
      { no: 5, a: 7 },
      { no: 9, a: 8 },
    ]);
  });

  it('where the last column has no name but values', async () => {
    const text = file('time,a', '2015-02-04 17:51:00,1,x', '2015-02-04 17:52:00,2,y');
    const { values, notes } = await read(text);
    expect(values).toEqual([
      { a: 1, 'column 3': 'x' },
      { a: 2, 'column 3': 'y' },
    ]);
    expect(notes).toMatch(/the last has no name, and is called "column 3"/);
  });

  it('where the first has none: times or names of rows, or as it was said', async () => {
    expect((await read(file('a,b', '2015-02-04 17:51:00,1,2'))).values).toEqual([{ a: 1, b: 2 }]);
    expect((await read(file('a,b', 'x,1,2', 'y,3,4'), NO_TIME)).values).toEqual([
      { 'column 1': 'x', a: 1, b: 2 },
      { 'column 1': 'y', a: 3, b: 4 },
    ]);
    const unclear = file('a,b', '7,1,2', '3,3,4');
    expect((await read(unclear, { ...NO_TIME, unnamed_column: 'first' })).values[0]).toEqual({
      'column 1': 7,
      a: 1,
      b: 2,
    });
    expect((await read(unclear, { ...NO_TIME, unnamed_column: 'last' })).values[0]).toEqual({
      a: 7,
      b: 1,
      'column 3': 2,
    });
  });

  it('where a first column counts the rows over the whole file, and only there is it left out', async () => {
    const lines = many((n) => `${n},${clock(n)},${n % 7}`);
    expect((await read(file('index,time,a', ...lines))).values[5]).toEqual({ a: 5 });
    const text = file('index,time,a', ...lines, `777,${clock(5000)},1`);
    expect(await refusal(text)).toMatch(
      /^line 4002: "index" only counts the rows before, .*"777". Set row_numbers to "keep"/,
    );
    expect(await refusal(text, { on_error: 'keep' })).toMatch(/^line 4002: /);
    expect((await read(text, { row_numbers: 'keep' })).values.at(-1)).toEqual({ index: 777, a: 1 });
    expect((await read(text, { row_numbers: 'leave-out' })).values.at(-1)).toEqual({ a: 1 });
    expect((await read(file('no,time,a', '5,2015-02-04 17:51:00,1'))).values).toEqual([{ no: 5, a: 1 }]);
  });
});

describe('numbers keep what they say', () => {
  it('with decimal commas that come late', async () => {
    const text = file(
      'Zeit;T',
      ...many((n) => `${clock(n)};0`),
      `${clock(5000)};21,5`,
      `${clock(5001)};21,6`,
    );
    expect((await read(text)).values.slice(-3)).toEqual([{ T: 0 }, { T: 21.5 }, { T: 21.6 }]);
  });

  it('with another mark in each column, and both in one, which is said', async () => {
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

  it('with thousands', async () => {
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

  it('where a comma may be either, as it was said; and it is said that it may', async () => {
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

  it('and are refused where a late one shows that others may be wrong', async () => {
    const zeros = many((n) => `${clock(n)};0`);
    expect(await refusal(file('t;a', ...zeros, `${clock(5000)};1,234`), { on_error: 'keep' })).toMatch(
      /^line 4002: "a" holds "1,234", which has three decimals or is above 1,000. Set decimal_mark/,
    );
    expect(await refusal(file('t;a', ...many((n) => `${clock(n)};1.234`), `${clock(5000)};21,5`))).toMatch(
      /^line 4002: "a" holds "21,5", so that "1.234" in line 2 may be above 1,000/,
    );
  });

  it('or stay text, where digits would get lost, in all of the column', async () => {
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

  it('and texts among them are counted, over the whole file', async () => {
    const text = file(
      'time,T',
      ...many((n) => `${clock(n)},${n}.5`),
      `${clock(5000)},ERR`,
      `${clock(5001)},"7"`,
    );
    const { values, notes } = await read(text);
    expect(values.slice(-2)).toEqual([{ T: 'ERR' }, { T: '7' }]);
    expect(notes).toMatch(/"T" holds 4,000 numbers and 2 texts; the first text is "ERR" in line 4002/);
  });
});

describe('times are what the file says', () => {
  it('with day and month by what is chosen or proved, and else as is said', async () => {
    const months = file(
      'date,a',
      ...many((n) => `${String((n % 12) + 1).padStart(2, '0')}/01/2015,${n}`, 12),
    );
    const guessed = await read(months);
    expect(guessed.notes).toMatch(
      /writes the day or the month first cannot be told; the day is taken to be first/,
    );
    expect((await read(months, { date_order: 'month-first' })).times.at(-1)).toBe('2015-12-01T00:00:00Z');
    expect((await read(months, { date_order: 'month-first' })).notes).not.toMatch(/cannot be told/);
  });

  it('and are refused whole, bad rows left out or not, where a late date shows that others were misread', async () => {
    const minutes = many(
      (n) =>
        `02/03/2015 ${String(Math.floor(n / 60) % 24).padStart(2, '0')}:${String(n % 60).padStart(2, '0')},1`,
    );
    const american = file('date,a', ...minutes, '02/13/2015 00:00,2');
    for (const on_error of ['abort', 'keep'] as const)
      expect(await refusal(american, { on_error })).toMatch(
        /^line 4002: date holds "02\/13\/2015 00:00", which has the month first.*Set date_order to "month-first"/,
      );
    expect((await read(american, { date_order: 'month-first' })).times.at(-1)).toBe('2015-02-13T00:00:00Z');
    const german = file('date,a', ...minutes, '13/03/2015 00:00,2');
    expect((await read(german)).notes).not.toMatch(/cannot be told/);
  });

  it.each([
    ['Jan 1 2000', '2000-01-01T00:00:00Z'],
    ['4 February 2015 17:51', '2015-02-04T17:51:00Z'],
    ['20150204T175100Z', '2015-02-04T17:51:00Z'],
    ['20150204', '2015-02-04T00:00:00Z'],
  ])('in words or without separators: %s', async (written, instant) => {
    expect((await read(`date,a\n${written},1`)).times).toEqual([instant]);
  });

  it('and no zone that no clock has', async () => {
    expect(await refusal('time,a\n2015-02-04T17:51:00Z,1\n2015-02-04T17:51:00+99:99,1')).toMatch(
      /^line 3: time must be a time/,
    );
  });

  it('and not an id or a telephone number', async () => {
    for (const text of [
      'phone,v\n0301234567,5',
      'id,v\n2025550123,5\n2025550124,6',
      'order,v\n1423072260,5\n1423072250,6',
    ])
      expect(await refusal(text)).toMatch(/^time_column is required/);
    expect((await read('n,v\n1423072260,5\n1423072270,6')).notes).toMatch(/"n" are taken for times/);
  });

  it('and of one unit', async () => {
    const seconds = ['1423072260,1', '1423072261,1', '1423072262,1'];
    expect(await refusal(file('time,a', ...seconds, '1423072263000,1'))).toMatch(
      /^line 5: time must be a time like "1423072260", seconds since 1970, got "1423072263000"/,
    );
    expect((await read(file('time,a', '0,1', ...seconds))).times[0]).toBe('1970-01-01T00:00:00Z');
    expect((await read(file('time,a', '5,1', '7,2'), { time_kind: 'epoch-s' })).times[1]).toBe(
      '1970-01-01T00:00:07Z',
    );
  });

  it('and count from when the recording began', async () => {
    const text = file('t_s,a', '0.00,1', '0.01,2', '90.5,3');
    expect(await refusal(text)).toMatch(
      /^started is required: the times of "t_s", such as "0.00", count from the start/,
    );
    const times = ['2026-11-21T14:00:00Z', '2026-11-21T14:00:00.01Z', '2026-11-21T14:01:30.5Z'];
    expect((await read(text, { started: '2026-11-21T14:00:00Z' })).times).toEqual(times);
    expect((await read(text, { started: '2026-11-21 15:00', zone: 'Europe/Berlin' })).times).toEqual(times);
    expect(await refusal(text, { started: 'noon' })).toMatch(/^started must be a date and time.*got "noon"/);
    expect(
      (
        await read(file('x,a', '0,1', '1500,2'), {
          time_column: 'x',
          time_kind: 'elapsed-ms',
          started: '2026-11-21T14:00:00Z',
        })
      ).times[1],
    ).toBe('2026-11-21T14:00:01.5Z');
    expect(
      (await read(file('time (ms),a', '0,1', '1500,2'), { started: '2026-11-21T14:00:00Z' })).times[1],
    ).toBe('2026-11-21T14:00:01.5Z');
  });
});

describe('a file is text in its encoding', () => {
  const text = 'time;°C\n2015-02-04 17:51:00;21,5\n2015-02-04 17:52:00;ü€';
  const expected = [{ '°C': 21.5 }, { '°C': 'ü€' }];
  const utf16 = (mark: string) => Buffer.from(mark + text, 'utf16le');
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

  it('that its first bytes say, or that was chosen', async () => {
    expect((await read(utf16('\uFEFF'))).values).toEqual(expected);
    expect((await read(swapped(utf16('\uFEFF')))).values).toEqual(expected);
    expect((await read(utf16(''))).values).toEqual(expected);
    const latin = Buffer.from(text.replace('€', '\u0080'), 'latin1');
    expect((await read(latin, { encoding: 'windows-1252' })).values).toEqual(expected);
    expect(await refusal(latin)).toMatch(
      /^line 1: the file must be UTF-8 text.*or choose its encoding, such as "windows-1252"/,
    );
    expect((await read(utf16('').subarray(0), { encoding: 'utf-16le' })).values).toEqual(expected);
  });

  it('as NDJSON may be too', async () => {
    const lines = '{"timestamp":0,"a":"ü"}\r{"timestamp":1,"a":2}\r';
    expect((await read(Buffer.from(`\uFEFF${lines}`, 'utf16le'))).values).toEqual([{ a: 'ü' }, { a: 2 }]);
  });

  it.each<[string, Uint8Array, RegExp]>([
    [
      'xlsx',
      Buffer.from('PK\u0003\u0004\u0014\u0000\u0006\u0000[Content_Types].xml xl/workbook.xml'),
      /it is an Excel workbook. Save it as CSV UTF-8/,
    ],
    ['xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /it is an old Excel workbook/],
    [
      'ods',
      Buffer.from('PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      /it is an OpenDocument file/,
    ],
    ['zip', Buffer.from('PK\u0003\u0004\u0014recording.csv'), /it is a zip archive. Unpack it/],
    ['pdf', Buffer.from('%PDF-1.7\n1,2\n'), /it is a PDF document/],
    ['gzip', Buffer.from('1f8b0800', 'hex'), /it is packed with gzip/],
    ['parquet', Buffer.from('PAR1'), /it is a Parquet file/],
    ['html', Buffer.from('<!DOCTYPE html><html>'), /it is a web page/],
  ])('and no %s', async (_, bytes, message) => {
    expect(await refusal(bytes)).toMatch(message);
    expect(await refusal(bytes, { encoding: 'windows-1252', on_error: 'keep' })).toMatch(message);
  });
});

describe('settings are judged whatever the format', () => {
  const ndjson = '{"timestamp":0,"a":1}\n';

  it.each<[ImportSettings, RegExp]>([
    [{ zone: 'Mars/X' }, /^zone must be an IANA time zone.*got "Mars\/X"/],
    [{ zone: '' }, /^zone must be/],
    [{ columns: 'b' }, /^columns is for CSV, and this file is NDJSON.*got "b"/],
    [{ time_column: 'when' }, /^time_column is for CSV/],
  ])('%j', async (settings, message) => {
    expect(await refusal(ndjson, settings)).toMatch(message);
  });
});

it('a file whose span holds records already says so', async () => {
  const { result } = await importFile('time,a\n2015-02-04 17:51:00,1\n2015-02-04 17:52:00,1', { present: 2 });
  expect(result.notes[0]).toMatch(
    /^2 records of this device already lay between 2015-02-04T17:51:00.000000Z and 2015-02-04T17:52:00.000000Z/,
  );
});
