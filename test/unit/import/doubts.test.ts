import { describe, expect, test } from 'vitest';
import { clock, file, many, read, refusal } from '../../helpers/files/csv-files.ts';
import { inspect, inspectText } from './inspecting.ts';

/* A value is right, or refused, or its doubt is said where it is chosen and in the answer. */

/** The times of two rows with these texts in their first column, and what is said of them. */
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
      /^line 9002: "e" holds "1\.250", which has three decimals or is above 1,000\. Say which is the decimal mark \[decimal_mark=\. or decimal_mark=,\]/,
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
      { setting: 'missing_words', options: ['known', 'known,-999'], columns: ['a'] },
    ]);
    expect((await read(far, { missing_words: '-999' })).values).toEqual([{ a: 1.5 }]);
  });

  test('are offered beside the known ones, which stay', async () => {
    const both = file('time,a,b', '2015-02-04T17:51:00Z,1.5,NA', '2015-02-04T17:52:00Z,-999,2');
    const [doubt] = inspectText(both).doubts;
    expect(doubt).toMatchObject({ options: ['known', 'known,-999'], columns: ['a'] });
    expect(doubt?.message).toMatch(/words for missing values \[missing_words=known,-999\]\.$/);
    expect((await read(both, { missing_words: doubt?.options[1] })).values).toEqual([{ a: 1.5 }, { b: 2 }]);
    expect((await read(both, { missing_words: doubt?.options[0] })).values).toEqual([
      { a: 1.5 },
      { a: -999, b: 2 },
    ]);
    expect(inspectText(both, { missing_words: 'known,-999' }).missing_words).toEqual(['NA', '-999']);
  });

  test('are asked of once where there are several, with an answer for each and for all', async () => {
    const far = file(
      'time,a,b',
      '2015-02-04T17:51:00Z,1.5,3',
      '2015-02-04T17:52:00Z,-999,9999',
      '2015-02-04T17:53:00Z,9999,2',
    );
    const { doubts } = inspectText(far);
    expect(doubts).toHaveLength(1);
    expect(doubts[0]).toMatchObject({
      setting: 'missing_words',
      options: ['known', 'known,-999', 'known,9999', 'known,-999,9999'],
      columns: ['a', 'b'],
      message: expect.stringMatching(/^"a" holds "-999", "a", "b" hold "9999", far from all other values/),
    });
    const valuesBy = async (missing_words: string | undefined) => (await read(far, { missing_words })).values;
    expect(await valuesBy(doubts[0]?.options[1])).toEqual([{ a: 1.5, b: 3 }, { b: 9999 }, { a: 9999, b: 2 }]);
    expect(await valuesBy(doubts[0]?.options[3])).toEqual([{ a: 1.5, b: 3 }, { b: 2 }]);
  });

  test('that first come behind the rows that are judged are none either, once one was added', async () => {
    const late = file(
      'time,a,state',
      '2015-02-04T17:51:00Z,-999,-',
      ...many((n) => `${clock(n)}Z,${n % 7},on`),
      '2015-03-04T17:51:00Z,NA,-',
      '2015-03-04T17:52:00Z,---,off',
    );
    const { values } = await read(late, { missing_words: 'Known,-999' });
    expect(values[0]).toEqual({ state: '-' });
    // In a column of texts a dash is one.
    expect(values.slice(-2)).toEqual([{ state: '-' }, { state: 'off' }]);
    expect((await read(late, { missing_words: '-999' })).values.at(-2)).toEqual({ a: 'NA', state: '-' });
  });

  test('are not offered where the setting would take them for two', () => {
    const far = file('time;a', '2015-02-04T17:51:00Z;1,5', '2015-02-04T17:52:00Z;-999,9');
    expect(inspectText(far).doubts).toMatchObject([
      {
        setting: 'missing_words',
        options: ['known'],
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
});
