import { describe, expect, test } from 'vitest';
import { clock, file, many, read } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

/* What a clock that was set wrong leaves in a recording is told. */

const rows = (...times: readonly string[]) => file('time,v', ...times.map((time, row) => `${time},${row}`));

describe('a clock that was set wrong is told', () => {
  test.each([
    [
      'in the future',
      ['2015-02-04 17:51:00', '2088-02-04 17:52:00'],
      /"time" holds 1 time in the future, first "2088-02-04 17:52:00" in line 3/,
    ],
    [
      'in 1970',
      ['1970-01-01 00:00:05', '1970-01-01 00:00:15', '2015-02-04 17:52:00'],
      /"time" holds 2 times of 1970, first "1970-01-01 00:00:05" in line 2/,
    ],
    [
      'back in time',
      ['2015-10-25 02:59:00', '2015-10-25 02:00:00', '2015-10-25 02:01:00'],
      /"time" goes back 1 time, first to "2015-10-25 02:00:00" in line 3: /,
    ],
    [
      'back in time, by numbers since 1970',
      ['1423072260', '1423072000', '1423072300'],
      /"time" goes back 1 time, first to "1423072000" in line 3: /,
    ],
  ])('%s', async (_, times, what) => {
    expect((await read(rows(...times))).notes).toMatch(what);
    expect(inspectText(rows(...times)).notes.join('\n')).toMatch(what);
  });

  test('back from summer time, with the setting that reads it', async () => {
    const text = rows('2015-10-25 02:59:00', '2015-10-25 02:00:00', '2015-10-25 02:01:00');
    expect((await read(text)).notes).toMatch(/goes back 1 time.* say its time zone \[zone=…\]/);
  });

  test('also behind the beginning, with its line and how often', async () => {
    const text = file(
      'time,v',
      ...many((n) => `${clock(n)},1`),
      ...many((n) => `${clock(n)},2`, 3),
      '2090-01-01 00:00:00,1',
      '2090-01-01 00:00:01,1',
    );
    const { notes } = await read(text);
    expect(notes).toMatch(/goes back 1 time, first to "2015-02-04 00:00:00" in line 4002/);
    expect(notes).toMatch(/holds 2 times in the future, first "2090-01-01 00:00:00" in line 4005/);
  });
});

describe('and what is no such thing is not', () => {
  test.each([
    ['newest first', ['2015-02-04 17:53:00', '2015-02-04 17:52:00', '2015-02-04 17:51:00']],
    ['of the years around 1970', ['1969-12-30', '1970-01-02', '1970-01-05']],
    ['with the same time twice', ['2015-02-04 17:51:00', '2015-02-04 17:51:00', '2015-02-04 17:52:00']],
  ])('%s', async (_, times) => {
    expect((await read(rows(...times))).notes).not.toMatch(/goes back|of 1970|in the future/);
  });

  test('an hour that clocks went through twice, where the zone was set', async () => {
    const text = rows(
      '2015-10-25 02:30:00',
      '2015-10-25 02:59:00',
      '2015-10-25 02:00:00',
      '2015-10-25 03:00:00',
    );
    expect((await read(text, { zone: 'Europe/Berlin' })).notes).not.toMatch(/goes back/);
  });
});
