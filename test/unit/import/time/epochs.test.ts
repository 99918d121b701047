import { describe, expect, test } from 'vitest';
import { file, read, refusal } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

/* Numbers of times that count from another day than 1970. */

const numbers = (name: string, first: number | string) =>
  file(`${name},v`, `${first},1`, `${BigInt(first) + 60n},2`, `${BigInt(first) + 120n},3`);

describe('numbers that would be of another century, or of the future, are doubted', () => {
  test.each([
    ['seconds since 1900, as NTP has them', 3_632_000_000, 'of 2085-02-03', 'of 2015-02-04 since 1900-01-01'],
    [
      'seconds since 1904, as LabVIEW has them',
      3_505_900_000,
      'of 2081-02-04',
      'of 2015-02-04 since 1904-01-01',
    ],
    ['seconds since 2001, as Apple has them', 444_700_000, 'of 1984-02-03', 'of 2015-02-03 since 2001-01-01'],
  ])('%s', async (_, first, read1970, since) => {
    const text = numbers('time', first);
    expect(inspectText(text).doubts).toMatchObject([
      { setting: 'time_kind', options: ['epoch-s', 'elapsed-s'], columns: ['time'] },
    ]);
    const { notes } = await read(text);
    expect(notes).toContain(read1970);
    expect(notes).toContain(since);
  });

  test('and read as what they are by what the doubt says', async () => {
    const text = numbers('time', 444_700_000);
    expect(inspectText(text).doubts[0]?.message).toMatch(
      /say that they are seconds since the start \[time_kind=elapsed-s\], and that the recording began on that day \[started=20/,
    );
    const { times, notes } = await read(text, {
      time_kind: 'elapsed-s',
      started: '2001-01-01T00:00:00Z',
    });
    expect(times[0]).toBe('2015-02-03T23:46:40Z');
    expect(notes).not.toMatch(/since 1970/);
  });

  test.each([
    ['Windows', '130675416000000000', '1601-01-01 would be of 2015-02-04'],
    ['.NET', '635586474600000000', '0001-01-01 would be of 2015-02-04'],
  ])('steps of 100 ns of %s', async (_, first, what) => {
    expect(inspectText(numbers('time', first)).doubts).toMatchObject([
      { setting: 'time_kind', options: ['epoch-ns'] },
    ]);
    expect((await read(numbers('time', first))).notes).toContain(`Steps of 100 ns since ${what}`);
  });

  test('seconds of GPS, by the name of their column alone', async () => {
    expect((await read(numbers('GPS time', 1_107_000_000))).notes).toContain(
      'of 2015-02-03 since 1980-01-06',
    );
  });
});

test.each(['1423072260', '1423072260000', '1423072260000000', '1423072260000000000'])(
  '%s, of this century since 1970, is not doubted, nor what was chosen',
  (first) => {
    expect(inspectText(numbers('time', first)).doubts).toEqual([]);
    expect(inspectText(numbers('time', 3_632_000_000), { time_kind: 'epoch-s' }).doubts).toEqual([]);
  },
);

test('a number beyond all calendars is refused as one', async () => {
  expect(await refusal(numbers('time', '99999999999999999999'))).toMatch(/^line 2: timestamp must lie in/);
});

test('numbers whose first ones are of before 2000 are doubted, also where most are not', () => {
  const rows = ['324680160', '324766560', '1589426560', '1589512960', '1589599360'];
  const text = file('time,v', ...rows.map((time) => `${time},1`));
  expect(inspectText(text).doubts).toMatchObject([{ setting: 'time_kind', columns: ['time'] }]);
});
