import { describe, expect, test } from 'vitest';
import { file, many, read, refusal } from '../../../helpers/files/csv-files.ts';

/* What stands below the data, of which the beginning says nothing, is refused or said. */

const RISING = { started: '2026-03-02T20:30:00Z' };

test('a footer under numbers since 1970 is told of', async () => {
  const rows = Array.from({ length: 9 }, (_, n) => `${1_400_000_000_000 + n};${n}`);
  expect((await read(file('time;a', ...rows, '3;3'))).notes).toMatch(
    /"time" holds 1 number far smaller than the others, which is a time near 1970; the first is "3" in line 11/,
  );
});

test('one under days of a spreadsheet, too', async () => {
  const rows = many((n) => `${(46_000 + n / 1440).toFixed(6)};${n}`, 5000);
  expect((await read(file('time;a', ...rows, '3;3'))).notes).toMatch(
    /"time" holds 1 number far from the others, which is a time of other decades; the first is "3" in line 5002/,
  );
});

describe('elapsed times that go back are told of', () => {
  const rows = many((n) => `${n};${n % 7}`, 20_000);

  test('as those of a footer', async () => {
    expect((await read(file('Time (s);a', ...rows, '4;2.5'), RISING)).notes).toMatch(
      /"Time \(s\)" goes back 1 time, first to "4" in line 20002: rows from there on may be of another recording/,
    );
  });

  test('and of a recording that begins anew, once for each', async () => {
    const { notes, result } = await read(file('Time (s);a', ...rows, ...rows, ...rows), RISING);
    expect(result.stored).toBe(60_000);
    expect(notes).toMatch(/"Time \(s\)" goes back 2 times, first to "0" in line 20002/);
  });

  test('and not where they stand still', async () => {
    expect((await read(file('Time (s);a', ...rows, '19999;1'), RISING)).notes).not.toMatch(/goes back/);
  });
});

test.each(['Mean;3.2', 'Mean', ';3;3;3', 'Mean;;3;'])(
  'a footer of %j is refused by its line',
  async (footer) => {
    const rows = ['2015-02-04 17:51:00;1;2', '2015-02-04 17:52:00;1;2'];
    expect(await refusal(file('time;a;b', ...rows, footer))).toMatch(/^line 4: /);
  },
);
