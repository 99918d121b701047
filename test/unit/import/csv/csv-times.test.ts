import { describe, expect, test } from 'vitest';
import { inspectFile } from '#core/import/inspect.ts';
import { PRESENT } from '../../../helpers/clock.ts';
import { file, many, read, refusal } from '../../../helpers/files/csv-files.ts';

describe('times are what the file says', () => {
  test('with day and month by what is chosen or proved, and else as is said', async () => {
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

  test('and are refused whole, bad rows left out or not, where a late date shows that others were misread', async () => {
    const minutes = many(
      (n) =>
        `02/03/2015 ${String(Math.floor(n / 60) % 24).padStart(2, '0')}:${String(n % 60).padStart(2, '0')},1`,
    );
    const american = file('date,a', ...minutes, '02/13/2015 00:00,2');
    for (const on_error of ['abort', 'keep'] as const)
      expect(await refusal(american, { on_error })).toMatch(
        /^line 4002: date holds "02\/13\/2015 00:00", which has the month first.*Say that the month is first \[date_order=month-first\]/,
      );
    expect((await read(american, { date_order: 'month-first' })).times.at(-1)).toBe('2015-02-13T00:00:00Z');
    const german = file('date,a', ...minutes, '13/03/2015 00:00,2');
    expect((await read(german)).notes).not.toMatch(/cannot be told/);
  });

  test.each([
    ['Jan 1 2000', '2000-01-01T00:00:00Z'],
    ['4 February 2015 17:51', '2015-02-04T17:51:00Z'],
    ['20150204T175100Z', '2015-02-04T17:51:00Z'],
    ['20150204', '2015-02-04T00:00:00Z'],
  ])('in words or without separators: %s', async (written, instant) => {
    expect((await read(`date,a\n${written},1`)).times).toEqual([instant]);
  });

  test('and no zone that no clock has', async () => {
    expect(await refusal('time,a\n2015-02-04T17:51:00Z,1\n2015-02-04T17:51:00+99:99,1')).toMatch(
      /^line 3: time must be a time/,
    );
  });

  test('and not an id or a telephone number', async () => {
    for (const text of [
      'phone,v\n0301234567,5',
      'id,v\n2025550123,5\n2025550124,6',
      'order,v\n1423072260,5\n1423072250,6',
    ])
      expect(await refusal(text)).toMatch(/^time_column is required/);
    expect((await read('n,v\n1423072260,5\n1423072270,6')).notes).toMatch(/"n" are taken for times/);
  });

  test('and of one unit', async () => {
    const seconds = ['1423072260,1', '1423072261,1', '1423072262,1'];
    expect(await refusal(file('time,a', ...seconds, '1423072263000,1'))).toMatch(
      /^line 5: time must be a time like "1423072260", seconds since 1970, got "1423072263000"/,
    );
    expect((await read(file('time,a', '0,1', ...seconds))).times[0]).toBe('1970-01-01T00:00:00Z');
    expect((await read(file('time,a', '5,1', '7,2'), { time_kind: 'epoch-s' })).times[1]).toBe(
      '1970-01-01T00:00:07Z',
    );
  });

  test('and count from when the recording began', async () => {
    const text = file('t_s,a', '0.00,1', '0.01,2', '90.5,3');
    expect(await refusal(text)).toMatch(/^The times of "t_s", such as "0.00", count from the start/);
    const times = ['2026-11-21T14:00:00Z', '2026-11-21T14:00:00.01Z', '2026-11-21T14:01:30.5Z'];
    expect((await read(text, { started: '2026-11-21T14:00:00Z' })).times).toEqual(times);
    expect((await read(text, { started: '2026-11-21 15:00', zone: 'Europe/Berlin' })).times).toEqual(times);
    expect(await refusal(text, { started: 'noon' })).toMatch(
      /^The start of the recording \[started=…\] must be a date and time.*got "noon"/,
    );
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

  test('and count decimals before thousands where a comma stands before them', async () => {
    const started = '2026-11-21T14:00:00Z';
    const seconds = ['14:00:00Z', '14:00:00.5Z', '14:00:01Z', '14:00:01.5Z'].map(
      (time) => `2026-11-21T${time}`,
    );
    const proved = file('t;a', '0,000;1', '0,500;2', '1,000;3', '1,500;4');
    expect((await read(proved, { started })).times).toEqual(seconds);
    expect((await read(proved, { started, time_column: 't', time_kind: 'elapsed-s' })).times).toEqual(
      seconds,
    );
    const late = file('t;a', '0;1', ...many((n) => `${n + 1},000;21,5`));
    expect((await read(late, { started })).times.at(-1)).toBe('2026-11-21T15:06:40Z');
    const thousands = file('time (ms),a', '0,1', '500,2', '"1,000",3', '"1,500",4');
    expect((await read(thousands, { started })).times).toEqual(seconds);
    const chosen = file('t;a', '0;1', '1,000;2', '2,000;3');
    expect((await read(chosen, { started, decimal_mark: ',' })).times[2]).toBe('2026-11-21T14:00:02Z');
    expect((await read(chosen, { started, decimal_mark: '.' })).times[2]).toBe('2026-11-21T14:33:20Z');
  });

  test('with a decimal comma in seconds since 1970', async () => {
    const text = file('time;a', '1423072260,5;1', '1423072261,25;2');
    expect((await read(text)).times).toEqual(['2015-02-04T17:51:00.5Z', '2015-02-04T17:51:01.25Z']);
  });

  test('with the time of day in a column that is not beside the date', async () => {
    const text = file('Date,Station,Time,v', '2015-02-04,A,17:51:00,1', '2015-02-04,B,17:52:00,2');
    const { times, values } = await read(text);
    expect(times).toEqual(['2015-02-04T17:51:00Z', '2015-02-04T17:52:00Z']);
    expect(values[0]).toEqual({ Station: 'A', v: 1 });
  });

  test('and say where rows share a date that has no time of day', async () => {
    const shared = await read(
      file('Date,v,sunrise', '2015-02-04,1,7:51', '2015-02-04,2,7:52', '2015-02-05,3,7:50'),
    );
    expect(shared.values[0]).toEqual({ v: 1, sunrise: '7:51' });
    expect(shared.notes).toMatch(
      /"Date" holds dates without a time of day.*1 row has that of the row before/,
    );
    const daily = await read(file('Date,v', '2015-02-04,1', '2015-02-05,2'));
    expect(daily.notes).not.toMatch(/time of day/);
  });
});

describe('what seems to be a time and is none is refused with what to do about it', () => {
  test.each([
    ['1949-01', 'a month without a day: write such as "2015-02-01"'],
    [
      '2015-02-04 17:51:00 EST',
      'write an offset such as "-05:00", or leave it out and say the time zone [zone=…]',
    ],
    ['17:51', 'a time of day without a date'],
  ])('%s', async (text, why) => {
    const times = file('when,a', ...[1, 2, 3].map((n) => `${text},${n}`));
    for (const settings of [{}, { time_column: 'when' }]) {
      const message = await refusal(times, settings);
      expect(message).toContain(JSON.stringify(text));
      expect(message).toContain(why);
    }
    const { notes } = inspectFile({ now: PRESENT, head: Buffer.from(times), complete: true });
    expect(notes.join(' ')).toContain(why);
  });

  test('those of a TOA5 file, whose names stand in line 2 and whose units in two rows', async () => {
    const toa5 = file(
      '"TOA5","CR1000","CR1000","1234","Std.32","CPU:x.CR1","5678","Table1"',
      '"TIMESTAMP","RECORD","Temp","Hum"',
      '"TS","RN","Deg C","%"',
      '"","","Avg","Smp"',
      '"2015-02-04 17:51:00",0,21.5,40',
      '"2015-02-04 17:52:00",1,21.6,41',
    );
    const { times, notes } = await read(toa5);
    expect(times).toEqual(['2015-02-04T17:51:00Z', '2015-02-04T17:52:00Z']);
    expect(notes).toMatch(/2 rows below the names hold units and the like; they are no records/);
  });

  test('other texts are not explained', async () => {
    expect(await refusal(file('a,b', 'warm,1.2.3', 'cold,1.2.4'))).toMatch(/with the time of the import$/);
  });
});
