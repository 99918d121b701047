import { describe, expect, test } from 'vitest';
import { inspect, inspectText } from './inspecting.ts';

const roles = (...lines: string[]) =>
  inspect(...lines).columns.map(({ name, role, kind }) => `${name}: ${role} ${kind}`);

describe('a CSV file is understood', () => {
  test.each([
    [',', 'time,a,b', '2015-02-04 17:51:00,1,x'],
    [';', 'time;a;b', '2015-02-04 17:51:00;1,5;x'],
    ['\t', 'time\ta\tb', '2015-02-04 17:51:00\t1,5\tx, y'],
    ['|', 'time|a|b', '2015-02-04 17:51:00|1|x'],
    [';', '2015-02-04 17:51:00;1,5;2,5', '2015-02-04 17:52:00;1,5;2,5'],
    [',', 'time,"a;b","c;d"', '2015-02-04 17:51:00,1,2', '2015-02-04 17:51:00,1,2'],
    [',', 'time,text', '2015-02-04 17:51:00,"a;b"', '2015-02-04 17:52:00,"c;d"'],
  ])('with the delimiter %j', (delimiter, ...lines) => {
    const found = inspect(...lines);
    expect(found.delimiter).toBe(delimiter);
    expect(found.time_format).toMatch(/^2015-02-04 17:51:00, no zone$/);
  });

  test('and says what separates its fields, unless these are commas', () => {
    expect(inspect('time,a', '2015-02-04 17:51:00,1').notes).toEqual([]);
    expect(inspect('time;a', '2015-02-04 17:51:00;1').notes).toEqual(['Fields are separated by semicolons.']);
  });

  test('with a byte order mark, CRLF and empty lines', () => {
    const found = inspect('\uFEFFtime,a\r', '\r', '2015-02-04 17:51:00,1\r', '');
    expect(found.columns.map(({ name }) => name)).toEqual(['time', 'a']);
    expect(found.rows).toEqual([['2015-02-04 17:51:00', '1']]);
  });

  test('with columns of numbers, texts, truths and nothing', () => {
    expect(
      roles(
        'time,n,t,b,e,m',
        '2015-02-04T17:51:00Z,1.5,open,true,,1',
        '2015-02-04T17:52:00Z,NaN,null,FALSE,NA,x',
      ),
    ).toEqual([
      'time: time time',
      'n: value number',
      't: value text',
      'b: value boolean',
      'e: empty text',
      'm: value text',
    ]);
  });

  test.each([
    [
      'that the header lacks',
      ['time,a', '140,2015-02-04 17:51:00,7', '141,2015-02-04 17:52:00,7'],
      'column 1',
    ],
    [
      'that the header leaves empty',
      [',time,a', '0,2015-02-04 17:51:00,7', '1,2015-02-04 17:52:00,7'],
      'column 1',
    ],
    ['called index', ['index,time,a', '0,2015-02-04 17:51:00,7', '1,2015-02-04 17:52:00,7'], 'index'],
  ])('with a row number %s', (_, lines, name) => {
    const found = inspect(...lines);
    expect(found.columns).toEqual([
      { name, role: 'row-number', kind: 'number' },
      { name: 'time', role: 'time', kind: 'time' },
      { name: 'a', role: 'value', kind: 'number' },
    ]);
    expect(found.notes.join(' ')).toMatch(/left out/);
  });

  test('with a first column that only looks like a row number', () => {
    expect(roles('index,time,a', '5,2015-02-04 17:51:00,7', '9,2015-02-04 17:52:00,7')[0]).toBe(
      'index: value number',
    );
    expect(roles('id,time,a', '1,2015-02-04 17:51:00,7', '2,2015-02-04 17:52:00,7')[0]).toBe(
      'id: value number',
    );
  });

  test('with times as row names, as data frames are written', () => {
    const found = inspect(',a,b', '2015-02-04 17:51:00,1,2', '2015-02-04 17:52:00,1,2');
    expect(found.time_column).toBe('column 1');
    expect(found.columns.map(({ role }) => role)).toEqual(['time', 'value', 'value']);
  });

  test('with a delimiter at the end of each line', () => {
    expect(roles('time,a,', '2015-02-04 17:51:00,1,', '2015-02-04 17:52:00,1,')[2]).toBe(
      'column 3: empty text',
    );
  });

  test('without a header', () => {
    const found = inspect('2015-02-04 17:51:00,1,open', '2015-02-04 17:52:00,2,open');
    expect(found.columns.map(({ name }) => name)).toEqual(['column 1', 'column 2', 'column 3']);
    expect(found.rows).toHaveLength(2);
    expect(found.notes.join(' ')).toMatch(/first row is data/);
  });

  test('with channel numbers as names', () => {
    expect(roles('time,1,2', '2015-02-04 17:51:00,20,21')).toEqual([
      'time: time time',
      '1: value number',
      '2: value number',
    ]);
  });

  test('with names that cannot be keys, which then get others', () => {
    const found = inspect(`time,"a,b",a,a,${'n'.repeat(130)}`, '2015-02-04 17:51:00,1,2,3,4');
    expect(found.columns.map(({ name }) => name)).toEqual(['time', 'a b', 'a', 'a 2', 'n'.repeat(128)]);
    expect(found.notes.filter((note) => note.includes('is called'))).toHaveLength(3);
  });

  test('with numbers in quotes as texts, which is said', () => {
    const found = inspect('time,serial,t', '2015-02-04 17:51:00,"007",21.5');
    expect(found.columns[1]).toEqual({ name: 'serial', role: 'value', kind: 'text' });
    expect(found.notes.join(' ')).toMatch(/Numbers in quotes are read as text.*"serial"/);
  });

  test('up to its last whole line when it goes on', () => {
    expect(inspectText('time,a\n2015-02-04 17:51:00,1\n2015-02-04 17:5', {}, false).rows).toEqual([
      ['2015-02-04 17:51:00', '1'],
    ]);
  });
});

describe('the time column is found', () => {
  test.each([
    ['2015-02-04 17:51', '2015-02-04 17:51, no zone', true],
    ['2015-02-04T17:51:00Z', '2015-02-04T17:51:00Z, with zone', false],
    ['2015-02-04T17:51:00.123456789+0100', '2015-02-04T17:51:00.123456789+0100, with zone', false],
    ['2015/02/04 17:51:00', '2015/02/04 17:51:00, no zone', true],
    ['04.02.2015 17:51', '04.02.2015 17:51, day first, no zone', true],
    ['02/24/2015 05:51 PM', '02/24/2015 05:51 PM, month first, no zone', true],
    ['24/02/2015 17:51', '24/02/2015 17:51, day first, no zone', true],
    ['2015-02-04', '2015-02-04, no zone', true],
    ['1423072260', '1423072260, seconds since 1970', false],
    ['1423072260.25', '1423072260.25, seconds since 1970', false],
    ['1423072260123', '1423072260123, milliseconds since 1970', false],
    ['1423072260123456', '1423072260123456, microseconds since 1970', false],
    ['1423072260123456789', '1423072260123456789, nanoseconds since 1970', false],
  ])('written as %s', (text, format, zoneNeeded) => {
    expect(inspect('a,time', `5,${text}`)).toMatchObject({
      time_column: 'time',
      time_format: format,
      zone_needed: zoneNeeded,
    });
  });

  test('by what it holds where its name says nothing', () => {
    expect(inspect('a,b', '5,2015-02-04 17:51:00').time_column).toBe('b');
    expect(inspect('n,count', '5,1423072260', '6,1423072270').time_column).toBeNull();
  });

  test('though some of its times cannot be read', () => {
    expect(
      inspect('a,time', '5,2015-02-04 17:51:00', '5,', '6,yesterday', '7,2015-02-04 17:51:00').time_column,
    ).toBe('time');
  });

  test('in two columns, date and time of day', () => {
    const found = inspect('Date,Time,a', '2015-02-04,17:51:00,1', '2015-02-04,17:52:00,2');
    expect(found.columns.map(({ role }) => role)).toEqual(['time', 'time', 'value']);
    expect(found).toMatchObject({ time_column: 'Date', time_format: '2015-02-04 17:51:00, no zone' });
    expect(found.notes.join(' ')).toMatch(/"Date" and "Time"; they are read together/);
  });

  test('with day and month told apart by the days of the recording, or noted as a choice', () => {
    expect(
      inspect('t,a', '01/02/2015 00:00,1', '02/02/2015 00:00,1', '03/02/2015 00:00,1').time_format,
    ).toMatch(/day first/);
    const months = inspect('t,a', '02/01/2015 00:00,1', '02/02/2015 00:00,1', '02/03/2015 00:00,1');
    expect(months.time_format).toMatch(/month first/);
    expect(months.date_order_unsure).toBe(true);
    expect(months.notes.join(' ')).toMatch(/cannot be told; the month is taken to be first/);
    expect(inspect('t,a', '12/02/2015,1', '13/02/2015,1').date_order_unsure).toBe(false);
    const unclear = inspect('t,a', '04/04/2015 17:51,1', '04/04/2015 17:52,1');
    expect(unclear.time_format).toMatch(/day first/);
    expect(unclear.date_order_unsure).toBe(true);
    expect(unclear.notes.join(' ')).toMatch(/cannot be told; the day is taken to be first/);
  });

  test('or people are told that there is none', () => {
    const found = inspect('a,b', '1,x');
    expect(found).toMatchObject({ time_column: null, time_format: null, zone_needed: false });
    expect(found.notes.join(' ')).toMatch(/No column of times/);
  });
});

describe('the first rows are told', () => {
  test('as they are stored, each with its line', () => {
    const found = inspect(
      'Logger 7',
      'time;a;state',
      '2026-01-05 08:00:00;1.013,25;on',
      '',
      '2026-01-05 08:01:00;---;',
      'never;1,5;off',
      '2026-01-05 08:02:00;2,5;true',
    );
    expect(found.row_lines).toEqual([3, 5, 6, 7]);
    expect(found.row_values).toEqual([
      [null, 1013.25, 'on'],
      [null, null, null],
      [null, null, null],
      [null, 2.5, true],
    ]);
    expect(found.lines_before).toEqual(['Logger 7']);
    expect(found.head_lines).toEqual([{ line: 2, text: 'time;a;state', holds: 'names' }]);
  });

  test('of NDJSON under the keys that they are stored by', () => {
    const found = inspect('{"timestamp":"2026-01-05T08:00:00Z","b":{"c":1}}', '', '{"b":{"c":false}}');
    expect([found.row_lines, found.row_values]).toEqual([
      [1, 3],
      [
        [null, 1],
        [null, false],
      ],
    ]);
  });
});
