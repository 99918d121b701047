import { describe, expect, test } from 'vitest';
import { file, read } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

/* Where a file holds times in several columns, one of them counts, and the others are told. */

const othersOf = (text: string) =>
  inspectText(text).doubts.flatMap(({ setting, options }) =>
    setting === 'time_column' ? options.slice(1) : [],
  );

test('of two columns of times the one with a time of day counts, and the other is told', async () => {
  const text = file('date,datetime,v', '2015-02-04,2015-02-04 17:51,1', '2015-02-05,2015-02-05 17:51,2');
  const { times, notes } = await read(text);
  expect(times).toEqual(['2015-02-04T17:51:00Z', '2015-02-05T17:51:00Z']);
  expect(notes).toMatch(/"date" also holds times; those of "datetime" are the times of the records/);
  expect((await read(text, { time_column: 'date' })).notes).not.toMatch(/also holds times/);
});

test.each(['40271.663889', '20150204', '0.0', '45577'])(
  '%s beside a date is told to be a time as well, in one row without names',
  (other) => {
    expect(othersOf(`2015-02-04T17:51:00Z;${other};7\n`)).toEqual(['column 2']);
  },
);

describe('numbers without a name are told to be times as well', () => {
  test.each([
    ['that rise from 0', '0.0', '60.0'],
    ['that rise as days of a spreadsheet do', '45577', '45578'],
    ['that rise as its hours do', '45577.25', '45577.5'],
  ])('%s', (_, first, second) => {
    const text = `${first},7,2024-10-15T06:00:00Z\n${second},5,2024-10-15T12:00:00Z\n`;
    expect(othersOf(text)).toEqual(['column 1']);
  });

  test('that rise as seconds since 1904 or steps since 1601 do', () => {
    const rows = (first: bigint) =>
      [0n, 60n].map((n) => `${first + n},7,2024-10-15T0${n / 60n}:00:00Z`).join('\n');
    expect(othersOf(rows(3_811_831_200n))).toEqual(['column 1']);
    expect(othersOf(rows(133_733_448_000_000_000n))).toEqual(['column 1']);
  });

  test('also where a clock was set ahead', () => {
    const text = ['1423072260', '1423072320', '2700000000']
      .map((time, n) => `${time},7,2024-10-1${n}T06:00:00Z\n`)
      .join('');
    expect(othersOf(text)).toEqual(['column 1']);
  });

  test('also where a clock was set back once', () => {
    const days = ['45577', '45578', '45579', '45578', '45579'];
    const text = days.map((day, n) => `${day},7,2024-10-1${n}T06:00:00Z\n`).join('');
    expect(othersOf(text)).toEqual(['column 1']);
    expect(othersOf(`Date,v,stored\n${text.replaceAll('45579,7', '45588,7')}`)).toEqual(['Date']);
  });

  test('also as dates with two digits of the year, where a clock was set to a year that is no day', () => {
    const days = ['10-06-05', '10-06-05', '10-06-05', '50-07-05'];
    const text = days.map((day, n) => `2010-06-08T09:2${n}:00.000Z,${day} 09:2${n},7\n`).join('');
    expect(othersOf(text)).toEqual(['column 2']);
  });

  test('and not where they fall', () => {
    expect(othersOf('45578,7,2024-10-15T06:00:00Z\n45577,5,2024-10-15T12:00:00Z\n')).toEqual([]);
  });
});

describe('numbers with a name', () => {
  test('are told where it says elapsed seconds', () => {
    const rows = ['0.0', '1.0', '2.0'].map((elapsed, row) => `${elapsed},7,2015-02-04T17:51:0${row}Z`);
    expect(othersOf(file('elapsed,a,stored', ...rows))).toEqual(['elapsed']);
  });

  test('also by the 0 of one row', () => {
    expect(othersOf(file('received,elapsed,a', '2024-10-15T00:00:00Z,0.0,98'))).toEqual(['elapsed']);
  });

  test('are not told where "min" and "h" are a minimum and a height', () => {
    const text = file('time,min,h', '2015-02-04T17:51:00Z,1,3', '2015-02-04T17:52:00Z,0.5,2');
    expect(othersOf(text)).toEqual([]);
  });
});

test('a first column that counts the rows from their first on is not told to be a time', () => {
  const frame = (first: number) =>
    [',time,v', ...[0, 1, 2].map((n) => `${first + n},2023-01-13 0${n}:00:00,${n}.5`)].join('\n');
  expect(othersOf(frame(0))).toEqual([]);
  expect(othersOf(frame(1))).toEqual([]);
  expect(othersOf(frame(45_577))).toEqual(['column 1']);
});
