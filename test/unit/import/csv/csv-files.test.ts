import { describe, expect, test } from 'vitest';
import { clock, file, many, NO_TIME, read, refusal } from '../../../helpers/files/csv-files.ts';

describe('files of the usual collections come in whole', () => {
  test.each<[string, string, Record<string, unknown>[]]>([
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

  test.each<[string, string, RegExp]>([
    ['rows of uneven widths', 'a,b\n1,2\n3\n4,5', /^line 3: expected 2 fields as in the first rows, got 1/],
    ['fewer fields than names', 'a,b,c\n1,2\n3,4', /^line 2: expected 3 fields as in the first rows, got 2/],
    ['a stray quote', 'a,b\n1,"x"y', /^line 2: a " inside a text must be doubled/],
    [
      'a name less than columns, which may lack first or last',
      'foo,bar,baz\n1,2,3,4',
      /^line 2: rows have 4 fields and 3 names.*Say whether it is the first or the last \[unnamed_column=first or unnamed_column=last\]/,
    ],
    [
      'lines that end in two ways',
      `a,b\n1,2\n3,4\r5,6\n`,
      /^line 3: a field without quotes holds a line break/,
    ],
  ])('or are refused in words: %s', async (_, text, message) => {
    expect(await refusal(text, NO_TIME)).toMatch(message);
  });

  test('behind a title, which is left out and said', async () => {
    const { values, notes } = await read('Logger 7\nSerial 4711\n\ntime,a\n2015-02-04 17:51:00,1');
    expect(values).toEqual([{ a: 1 }]);
    expect(notes).toMatch(/The table seems to begin in line 4; what is before it is left out/);
  });

  test('behind lines that are passed over', async () => {
    const text = 'Logger 7\n"Serial, 4711"\n\ntime,a\n2015-02-04 17:51:00,1\n2015-02-04 17:52:00,x y';
    const { values, result } = await read(text, { first_line: 4 });
    expect(values).toEqual([{ a: 1 }, { a: 'x y' }]);
    expect(result.notes.join()).toMatch(/"a" holds 1 number and 1 text; the first text is "x y" in line 6/);
  });
});

describe('values stay under their names', () => {
  const rows = ['2015-02-04 17:51:00,21.5,40,', '2015-02-04 17:52:00,21.6,41,'];

  test.each<[string, string]>([
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

  test('where only some rows do, whichever come first', async () => {
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

  test('with a row number that has a name, and a delimiter at the end', async () => {
    const { values } = await read(file('no,time,a', '5,2015-02-04 17:51:00,7,', '9,2015-02-04 17:52:00,8,'));
    expect(values).toEqual([
      { no: 5, a: 7 },
      { no: 9, a: 8 },
    ]);
  });

  test('where the last column has no name but values', async () => {
    const text = file('time,a', '2015-02-04 17:51:00,1,x', '2015-02-04 17:52:00,2,y');
    const { values, notes } = await read(text);
    expect(values).toEqual([
      { a: 1, 'column 3': 'x' },
      { a: 2, 'column 3': 'y' },
    ]);
    expect(notes).toMatch(/the last has no name, and is called "column 3"/);
  });

  test('where the first has none: times or names of rows, or as it was said', async () => {
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

  test('where a first column counts the rows over the whole file, and only there is it left out', async () => {
    const lines = many((n) => `${n},${clock(n)},${n % 7}`);
    expect((await read(file('index,time,a', ...lines))).values[5]).toEqual({ a: 5 });
    const text = file('index,time,a', ...lines, `777,${clock(5000)},1`);
    expect(await refusal(text)).toMatch(
      /^line 4002: "index" only counts the rows before, .*"777". Choose that column to import it \[row_numbers=keep\]/,
    );
    expect(await refusal(text, { on_error: 'keep' })).toMatch(/^line 4002: /);
    expect((await read(text, { row_numbers: 'keep' })).values.at(-1)).toEqual({ index: 777, a: 1 });
    expect((await read(text, { row_numbers: 'leave-out' })).values.at(-1)).toEqual({ a: 1 });
    expect((await read(file('no,time,a', '5,2015-02-04 17:51:00,1'))).values).toEqual([{ no: 5, a: 1 }]);
  });
});
