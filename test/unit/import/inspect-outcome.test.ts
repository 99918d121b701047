import { describe, expect, test } from 'vitest';
import { inspectFile } from '#core/import/inspect.ts';
import { PRESENT } from '../../helpers/clock.ts';
import { refusal } from '../../helpers/files/csv-files.ts';
import { inspect, inspectText } from './inspecting.ts';

describe('what an import will make of a file is shown', () => {
  const times = ({ first, last }: { first: string | null; last: string | null }) => [first, last];

  test('from its first to its last row, of which only the ends are sent', () => {
    const rows = Array.from({ length: 9000 }, (_, n) => `${n},${n % 7}`);
    const text = Buffer.from(['t_s,a', ...rows].join('\n'));
    const ends = {
      now: PRESENT,
      head: text.subarray(0, 70_000),
      tail: text.subarray(-1000),
      complete: false,
    };
    const found = inspectFile(ends);
    expect(found).toMatchObject({ start_needed: true, zone_needed: true, time_kind: 'elapsed-s' });
    expect(times(found)).toEqual(['1970-01-01T00:00:00.000000Z', '1970-01-01T02:29:59.000000Z']);
    expect(times(inspectFile({ ...ends, started: '2026-01-05 09:00', zone: 'Europe/Berlin' }))).toEqual([
      '2026-01-05T08:00:00.000000Z',
      '2026-01-05T10:29:59.000000Z',
    ]);
  });

  test('with a row number over the whole file, though its end does not follow on', () => {
    const rows = Array.from({ length: 9000 }, (_, n) => `${n},2015-02-04 17:51:00,1`);
    const text = Buffer.from(['index,time,a', ...rows].join('\n'));
    const found = inspectFile({
      now: PRESENT,
      head: text.subarray(0, 70_000),
      tail: text.subarray(-1000),
      complete: false,
    });
    expect(found).toMatchObject({ problem: null, last: '2015-02-04T17:51:00.000000Z' });
  });

  test('with what the end of it says of the date order', () => {
    const text = Buffer.from(`date,a\n${'02/03/2015,1\n'.repeat(7000)}02/13/2015,1\n`);
    const ends = {
      now: PRESENT,
      head: text.subarray(0, 70_000),
      tail: text.subarray(-1000),
      complete: false,
    };
    expect(inspectFile(ends)).toMatchObject({
      date_order: 'day-first',
      date_order_unsure: true,
      problem_with: 'rows',
      problem: expect.stringMatching(
        /^The end of the file: date holds "02\/13\/2015".*Say that the month is first \[date_order=month-first\]\.$/,
      ),
    });
    expect(inspectFile({ ...ends, date_order: 'month-first' })).toMatchObject({ problem: null });
  });

  test('or what stands against it, and with which setting', () => {
    const dos = Buffer.from('time,T\u0081r\n2015-02-04 17:51,1', 'latin1');
    expect(inspectFile({ now: PRESENT, head: dos, complete: true })).toMatchObject({
      encoding: 'utf-8',
      problem_with: 'encoding',
    });
    expect(inspect('a,b', '1,2,3', '7,3,4')).toMatchObject({
      problem_with: 'unnamed_column',
      columns: [{ name: 'a' }, { name: 'b' }, { name: 'column 3' }],
    });
    expect(inspect('a,b', '1,2').problem_with).toBe('time_column');
    expect(inspectText('a,b\n1,2', { time_column: '' }).problem).toBeNull();
    const title = inspect('Logger 7', 'time,a,b', '2015-02-04T17:51:00Z,1,2', '2015-02-04T17:52:00Z,1,2');
    expect(title).toMatchObject({
      first_line: 2,
      problem: null,
      columns: [{ name: 'time' }, { name: 'a' }, { name: 'b' }],
    });
    expect(title.notes.join()).toMatch(/The table seems to begin in line 2; what is before it is left out/);
  });

  test('with day and month as a choice wherever both can be read', () => {
    for (const dates of [
      ['01/01/2015', '02/01/2015', '12/01/2015'],
      ['03/01/2015', '04/01/2015'],
      ['04.05.2015', '05.05.2015'],
    ])
      expect(inspect('date,a', ...dates.map((date) => `${date},1`)).date_order_unsure).toBe(true);
  });

  test('and nothing of a file that is no text', () => {
    expect(() => inspectText('PK\u0003\u0004 xl/workbook.xml')).toThrow(/it is an Excel workbook/);
  });
});

describe('an NDJSON file is understood', () => {
  test('with its keys, times and first records', () => {
    const found = inspect(
      '{"timestamp":"2015-02-04T17:51:00Z","t":21.5,"on":true}',
      '{"timestamp":1423072260000,"door":"open"}',
      '{"broken',
    );
    expect(found).toMatchObject({
      format: 'ndjson',
      delimiter: null,
      time_column: 'timestamp',
      zone_needed: false,
    });
    expect(found.columns.map(({ name, role, kind }) => `${name}: ${role} ${kind}`)).toEqual([
      'timestamp: time time',
      't: value number',
      'on: value boolean',
      'door: value text',
    ]);
    expect(found.rows).toEqual([
      ['2015-02-04T17:51:00Z', '21.5', 'true', ''],
      ['1423072260000', '', '', 'open'],
    ]);
    expect(found.notes.join(' ')).toMatch(/1 of the first 3 lines/);
  });
});

describe('a file that holds nothing to import is refused', () => {
  test.each([
    ['', 'The file is empty.'],
    [' \n', 'The file is empty.'],
    ['[{"a":1}]', 'The file is a JSON array; expected CSV, or NDJSON with one JSON object on each line.'],
  ])('%j', (text, message) => {
    expect(() => inspectText(text)).toThrow(message);
  });
});

test('a line of NDJSON that is nested deeper than the stack cannot be imported, and says why', () => {
  const line = `{"a":1,"b":${'['.repeat(50_000)}${']'.repeat(50_000)}}\n`;
  const { state, first_fault } = inspectFile({ now: PRESENT, head: Buffer.from(line), complete: true });
  expect(state).toBe('cannot-import');
  expect(first_fault?.message).toBe('objects and arrays may be nested 4 deep, "b.0.0.0" is deeper');
});

test.each([
  [
    'quotes that are escaped otherwise',
    'time,a\n2015-02-04T17:51:00Z,"x \\"q\\" y"\n2015-02-04T17:52:00Z,"z"\n',
    2,
  ],
  ['a text that goes on behind its quote', 'time,a\n2015-02-04T17:51:00Z,1\n2015-02-04T17:52:00Z,"7" C\n', 3],
  ['a quote that is never closed', 'time,a\n2015-02-04T17:51:00Z,1\n2015-02-04T17:52:00Z,"7\n', 3],
])('rows that cannot be split are counted among those left out: %s', async (_, text, line) => {
  const found = inspectText(text);
  expect(found).toMatchObject({ state: 'rows-left-out', looked_at: 2, unreadable: 1, first_fault: { line } });
  expect(await refusal(text)).toBe(`line ${line}: ${found.first_fault?.message}. Nothing was imported.`);
});

test('a file of which no row can be split holds rows that cannot be imported', () => {
  expect(inspectText('time,a\n2015-02-04T17:51:00Z,"7" C\n')).toMatchObject({
    state: 'cannot-import',
    looked_at: 1,
    unreadable: 1,
    first_fault: { line: 2 },
  });
});
