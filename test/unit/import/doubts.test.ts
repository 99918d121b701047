import { describe, expect, test } from 'vitest';
import { file, read, refusal } from '../../helpers/files/csv-files.ts';
import { inspect, inspectText } from './inspecting.ts';

/* A value is right, or refused, or its doubt is said where it is chosen and in the answer. */

/** The times of two rows with these texts in their first column, and what is said of them. */
const timesOf = (name: string, ...texts: readonly string[]) =>
  read(file(`${name},v`, ...texts.map((text, row) => `${text},${row}`)));

describe('digits that are dates', () => {
  test.each([
    [
      ['2015020417', '2015020418'],
      ['2015-02-04T17:00:00Z', '2015-02-04T18:00:00Z'],
    ],
    [
      ['202001010000', '202001010010'],
      ['2020-01-01T00:00:00Z', '2020-01-01T00:10:00Z'],
    ],
    [
      ['20131222221700', '20131222221701'],
      ['2013-12-22T22:17:00Z', '2013-12-22T22:17:01Z'],
    ],
    [
      ['1502041759', '1502041800', '1502041801'],
      ['2015-02-04T17:59:00Z', '2015-02-04T18:00:00Z', '2015-02-04T18:01:00Z'],
    ],
  ])('%j are read as such, and said', async (texts, expected) => {
    const { times, notes } = await timesOf('date', ...texts);
    expect(times).toEqual(expected);
    expect(notes).toMatch(/The digits of "date", such as "\d+", are dates: Y/);
  });

  test.each([
    ['1502041751', '1502041752', 'epoch-s'],
    ['150204175100', '150204175200', 'epoch-ms'],
  ])('%s and %s may be numbers since 1970 as well, so that it must be said', async (first, second, other) => {
    const text = file('date,v', `${first},1`, `${second},2`);
    expect(await refusal(text)).toMatch(
      new RegExp(`^time_kind is required: .*Set it to "date" or "${other}"`),
    );
    expect(inspectText(text)).toMatchObject({ state: 'needs-choice', problem_with: 'time_kind' });
    expect((await read(text, { time_kind: 'date' })).times).toEqual([
      '2015-02-04T17:51:00Z',
      '2015-02-04T17:52:00Z',
    ]);
  });

  test('with years of two or four digits are doubted, the reading that counts first, and settled by either', async () => {
    const text = file('date,v', '2010011512,1', '2010011513,2');
    const { doubts } = inspectText(text);
    expect(doubts).toMatchObject([{ setting: 'date_order', options: ['full-year-first', 'year-first'] }]);
    expect((await read(text)).times[0]).toBe('2010-01-15T12:00:00Z');
    const settled = (date_order: 'full-year-first' | 'year-first') => read(text, { date_order });
    expect(await settled('full-year-first')).toMatchObject({
      times: ['2010-01-15T12:00:00Z', '2010-01-15T13:00:00Z'],
    });
    expect((await settled('full-year-first')).notes).not.toMatch(/would fit them as well/);
    expect((await settled('year-first')).times[0]).toBe('2020-10-01T15:12:00Z');
  });

  test('are read by their steps where these tell', () => {
    const hours = ['2010011522', '2010011523', '2010011600', '2010011601'];
    expect(inspectText(file('date,v', ...hours.map((hour) => `${hour},1`)))).toMatchObject({
      doubts: [],
      first: '2010-01-15T22:00:00.000000Z',
    });
  });

  test('and seconds since 1970 stay what they are', async () => {
    expect((await timesOf('time', '1425000000', '1425000060', '1425000120')).times[2]).toBe(
      '2015-02-27T01:22:00Z',
    );
  });
});

describe('days of a spreadsheet', () => {
  test('are read to the time that their few digits mean, and doubted', async () => {
    const text = file('time,v', '46000.250000,1', '46000.291667,2', '46000.333333,3');
    expect((await read(text)).times).toEqual([
      '2025-12-09T06:00:00Z',
      '2025-12-09T07:00:00Z',
      '2025-12-09T08:00:00Z',
    ]);
    expect(inspectText(text).doubts).toMatchObject([
      { setting: 'time_kind', options: ['days-1900', 'days-1904', 'elapsed-s'], columns: ['time'] },
    ]);
    expect((await read(text, { time_kind: 'days-1904' })).times[0]).toBe('2029-12-10T06:00:00Z');
  });

  test('are not taken for seconds of a recording where they are whole', async () => {
    const { doubts, state } = inspectText('time,v\n46000,1\n46001,2\n');
    expect(state).toBe('needs-choice');
    expect(doubts).toMatchObject([{ setting: 'time_kind', options: ['elapsed-s', 'days-1900'] }]);
  });
});

test('an offset holds all year, also where clocks of a zone there are changed', async () => {
  const text = file('time,v', '2026-01-25 02:00:00,1', '2026-07-25 02:00:00,2');
  for (const zone of ['UTC+02:00', '+02:00', 'UTC+2', 'GMT+0200'])
    expect((await read(text, { zone })).times).toEqual(['2026-01-25T00:00:00Z', '2026-07-25T00:00:00Z']);
  expect(await refusal(text, { zone: 'UTC+15' })).toMatch(/^zone must be .*"UTC\+02:00", got "UTC\+15"$/);
  const named = await read(file('"Date Time, GMT-03:30",v', '2026-01-25 02:00:00,1'));
  expect(named.times).toEqual(['2026-01-25T05:30:00Z']);
  expect(named.notes).toMatch(/The times are of GMT-03:30, as their column says/);
});

test('a change of clocks within a recording is a doubt, with the offsets that may hold instead', () => {
  const text = file('time,v', '2026-10-25 01:00:00,1', '2026-10-25 04:00:00,2');
  expect(inspectText(text, { zone: 'Europe/Berlin' }).doubts).toMatchObject([
    { setting: 'zone', options: ['Europe/Berlin', 'UTC+02:00', 'UTC+01:00'] },
  ]);
  expect(inspectText(text, { zone: 'UTC+02:00' }).doubts).toEqual([]);
});

test('years of two digits are read, and doubted where another order reads them, too', async () => {
  const { times, notes } = await read(file('Datum;v', '04.02.15 17:51;1', '05.02.15 17:51;2'));
  expect(times).toEqual(['2015-02-04T17:51:00Z', '2015-02-05T17:51:00Z']);
  expect(notes).toMatch(/writes the day, the month or the year first cannot be told; the day is taken/);
  expect(inspect('Datum,v', '2/14/15 5:51 p. m.,1').doubts).toEqual([]);
  expect(inspect('Datum,v', '15-02-14,1', '15-02-28,2').date_order).toBe('year-first');
});

describe('a point before three digits', () => {
  test('stands before thousands beside numbers below a thousand, and is doubted', async () => {
    const text = file(
      'time;e',
      ...['950', '980', '1.020', '1.100'].map((e, n) => `2015-02-04T17:5${n}:00Z;${e}`),
    );
    expect((await read(text)).values.map(({ e }) => e)).toEqual([950, 980, 1020, 1100]);
    expect(inspectText(text)).toMatchObject({ decimal_mark: ',', decimal_mark_unsure: true });
  });

  test('that comes behind thousands of whole numbers is refused', async () => {
    const rows = Array.from({ length: 9000 }, (_, n) => `${1_400_000_000 + n};${n % 900}`);
    expect(await refusal(file('time;e', ...rows, '1400009000;1.250'))).toMatch(
      /^line 9002: "e" holds "1\.250", which has three decimals or is above 1,000\. Set decimal_mark/,
    );
  });
});

test('numbers in quotes are numbers with a decimal comma and with blanks around, where all fields are quoted', async () => {
  const { values } = await read(
    file('"Date","v","w"', '"2015-02-04T17:50:00Z","-0,7"," 26.09"', '"2015-02-04T17:51:00Z","0,2","  6.10"'),
  );
  expect(values).toEqual([
    { v: -0.7, w: 26.09 },
    { v: 0.2, w: 6.1 },
  ]);
});

describe('words for no value', () => {
  const text = file(
    'time,a,state',
    '2015-02-04T17:51:00Z,1,-',
    '2015-02-04T17:52:00Z,---,on',
    '2015-02-04T17:53:00Z,None,off',
  );

  test('are known among numbers, kept among texts, and said', async () => {
    const { values, notes } = await read(text);
    expect(values).toEqual([{ a: 1, state: '-' }, { state: 'on' }, { state: 'off' }]);
    expect(notes).toMatch(/2 fields of "a" are taken for no value: "---", "None"/);
    expect(inspectText(text)).toMatchObject({
      missing_words: ['---', 'None'],
      columns: [{}, { kind: 'number', missing: ['---', 'None'] }, {}],
    });
  });

  test('can be chosen, numbers among them', async () => {
    expect((await read(text, { missing_words: '1,None' })).values).toEqual([
      { state: '-' },
      { a: '---', state: 'on' },
      { state: 'off' },
    ]);
    const far = file('time,a', '2015-02-04T17:51:00Z,1.5', '2015-02-04T17:52:00Z,-999');
    expect(inspectText(far).doubts).toMatchObject([
      { setting: 'missing_words', options: ['', '-999'], columns: ['a'] },
    ]);
    expect((await read(far, { missing_words: '-999' })).values).toEqual([{ a: 1.5 }]);
  });

  test('are not offered where the setting would take them for two', () => {
    const far = file('time;a', '2015-02-04T17:51:00Z;1,5', '2015-02-04T17:52:00Z;-999,9');
    expect(inspectText(far).doubts).toMatchObject([
      {
        setting: 'missing_words',
        options: [''],
        message: expect.stringMatching(/It is kept as a number\.$/),
      },
    ]);
  });
});

test('names that come again, a Ctrl-Z at the end and codes such as 1E5 are no values', async () => {
  const { values, notes } = await read(
    'time,a,c\n2015-02-04T17:51:00Z,1,1E5\ntime,a,c\n2015-02-04T17:52:00Z,2,2E7\n\u001A',
  );
  expect(values).toEqual([
    { a: 1, c: '1E5' },
    { a: 2, c: '2E7' },
  ]);
  expect(notes).toMatch(/1 row that repeats what stands above the data was passed over/);
  expect(notes).not.toMatch(/1 text/);
});

test('Windows-1252 is recognised by its letters, and said with what it makes of the file', async () => {
  const bytes = Buffer.from('time;Temperatur (°C)\n2015-02-04 17:51;1\n', 'latin1');
  const { values, notes } = await read(bytes);
  expect(values).toEqual([{ 'Temperatur (°C)': 1 }]);
  expect(notes).toMatch(/is read as Windows-1252 \(Latin-1\), by which it holds "\(°C\)"/);
});

test('an inspection calls a file ready, or says how far it is not', () => {
  expect(inspect('time,a', '2015-02-04T17:51:00Z,1').state).toBe('ready');
  const row = (minute: number) => `2015-02-04T17:${minute}:00Z,1`;
  expect(inspect('time,a', row(51), row(52), `${row(53)},2,3`)).toMatchObject({
    state: 'rows-left-out',
    looked_at: 3,
    unreadable: 1,
    first_fault: { line: 4 },
  });
  expect(inspect('time,a').state).toBe('cannot-import');
  const wide = Array.from({ length: 300 }, (_, n) => n);
  expect(inspect(`time,${wide.join(',v')}`, `2015-02-04T17:51:00Z,${wide.join(',')}`)).toMatchObject({
    state: 'needs-choice',
    problem_with: 'columns',
  });
});

test('lines of JSON are shown under the keys that are stored', () => {
  const { columns, rows, row_times } = inspectText('{"timestamp":1400000000000,"b":{"c":false},"l":[1]}\n');
  expect(columns.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'timestamp time',
    'b.c boolean',
    'l.0 number',
  ]);
  expect(rows).toEqual([['1400000000000', 'false', '1']]);
  expect(row_times).toEqual(['2014-05-13T16:53:20.000000Z']);
});

describe('what nothing settles, and what only looks different inside quotes', () => {
  const said = async (text: string) => (await read(text)).notes;

  test('truths are padded inside their quotes as numbers are', async () => {
    const { values } = await read(file('"time";"a"', '"2015-02-04 17:51:00";"    true"'));
    expect(values).toEqual([{ a: true }]);
  });

  test('row numbers are, too', async () => {
    const text = file(
      '"#";"time";"a"',
      '"   1";"2015-02-04 17:51:00";" 1.5"',
      '"   2";"2015-02-04 17:52:00";" 2.5"',
    );
    expect((await read(text)).values).toEqual([{ a: 1.5 }, { a: 2.5 }]);
  });

  test('padded numbers in quotes that make them text are told', async () => {
    const text = file(
      '"time","q","r"',
      '"2015-02-04 17:51:00"," 46,088",5',
      '"2015-02-04 17:52:00"," 67,412",6',
    );
    expect(await said(text)).toMatch(/Numbers in quotes are read as text, .*"q"/);
  });

  test('a point before an exponent does not settle what "73,936" of another column is', async () => {
    const text = file('time;p;w', '2015-02-04 17:51:00;5.1E-01;73,936', '2015-02-04 17:52:00;1.9E-07;36,582');
    expect(await said(text)).toMatch(/a comma or a point in "w" .* cannot be told/);
  });

  test('a measured 999.9 does not hide the -999 beside it', async () => {
    const rows = ['983.4', '-999', '999.9', '1001.2'].map((p, row) => `2015-02-04 17:5${row}:00;${p}`);
    expect(await said(file('time;p', ...rows))).toMatch(/"p" holds "-999", far from all other values/);
  });

  test('where everything is in quotes, a comma between fields does not settle what "63.683" is', async () => {
    const text = file('"time","w"', '"2015-02-04 17:51:00","63.683"', '"2015-02-04 17:52:00","75.759"');
    expect(await said(text)).toMatch(/a comma or a point in "w" .* cannot be told/);
  });

  test.each([
    ['days', '42931.4138888889', '42932.4138888889'],
    ['seconds', '1170826680.000', '1170826681.000'],
  ])('nor does the point of a time in %s settle what "15,938" and "49.117" are', async (_, first, second) => {
    const text = (one: string, other: string) =>
      file('"time","flow"', `"${first}","${one}"`, `"${second}","${other}"`);
    expect(await said(text('15,938', '84,927'))).toMatch(/a comma or a point in "flow" .* cannot be told/);
    expect(await said(text('49.117', '75.759'))).toMatch(/a comma or a point in "flow" .* cannot be told/);
  });

  test('but a point in another column that was measured does', async () => {
    const text = file(
      '"time","a","flow"',
      '"2015-02-04 17:51:00","0.5","15,938"',
      '"2015-02-04 17:52:00","7.25","84,927"',
    );
    expect((await read(text)).values).toEqual([
      { a: 0.5, flow: 15_938 },
      { a: 7.25, flow: 84_927 },
    ]);
    expect(await said(text)).not.toMatch(/cannot be told/);
  });

  test.each(['01.02.15', '1/2/15 10:00'])('%s is read, and its order doubted', async (text) => {
    const { notes } = await timesOf('when', text);
    expect(notes).toMatch(/the day, the month or the year first cannot be told/);
  });
});
