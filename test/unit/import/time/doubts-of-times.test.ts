import { describe, expect, test } from 'vitest';
import { file, read, refusal } from '../../../helpers/files/csv-files.ts';
import { inspect, inspectText } from '../inspecting.ts';

/* A time is right, or refused, or its doubt is said where it is chosen and in the answer. */

/** The times of rows with these texts in their first column, and what is said of them. */
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
      new RegExp(`^The numbers of .*Say what they are \\[time_kind=date or time_kind=${other}\\]`),
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

test.each(['01.02.15', '1/2/15 10:00'])('%s is read, and its order doubted', async (text) => {
  const { notes } = await timesOf('when', text);
  expect(notes).toMatch(/the day, the month or the year first cannot be told/);
});
