import { describe, expect, test } from 'vitest';
import { formatMicros } from '#shared/values/time.ts';
import { RECEIVED, refusalOf } from '../../helpers/files/imports.ts';
import { file, type Imports } from './harness.ts';

/** Which instants rows of CSV have. */
export function timeTests({ importFile, times, kept }: Imports): void {
  describe('times of CSV', () => {
    test.each([
      ['2015-02-04T17:51:00.123456789+01:00', '2015-02-04T16:51:00.123456Z'],
      ['2015-02-04 17:51:00,25', '2015-02-04T17:51:00.250000Z'],
      ['04.02.2015 17:51', '2015-02-04T17:51:00.000000Z'],
      ['02/24/2015 12:05 AM', '2015-02-24T00:05:00.000000Z'],
      ['02/24/2015 12:05 pm', '2015-02-24T12:05:00.000000Z'],
      ['1423072260', '2015-02-04T17:51:00.000000Z'],
      ['1423072260.25', '2015-02-04T17:51:00.250000Z'],
      ['1423072260123', '2015-02-04T17:51:00.123000Z'],
      ['1423072260123456', '2015-02-04T17:51:00.123456Z'],
      ['1423072260123456789', '2015-02-04T17:51:00.123456Z'],
      ['1700-01-01 00:00:00', '1700-01-01T00:00:00.000000Z'],
    ])('%s', async (written, instant) => {
      expect(await times(file('a;time', `5;${written}`))).toEqual([instant]);
    });

    test('stand in two columns', async () => {
      const text = file('Date,Time,a', '04/02/2015,17:51:00,1', '24/02/2015,05:52:00 PM,2');
      expect(await times(text)).toEqual(['2015-02-04T17:51:00.000000Z', '2015-02-24T17:52:00.000000Z']);
    });

    test('in two columns are no times without one of them', async () => {
      const rows = ['2015-02-04,17:51:00,1', '2015-02-04,17:52:00,2', '2015-02-04,,3'];
      expect(await refusalOf(importFile(file('Date,Time,a', ...rows)))).toBe(
        'line 4: Date must be a time like "2015-02-04 17:51:00", got "2015-02-04 ". Nothing was imported.',
      );
      const broken = file('Date,Time,a', ...rows.slice(0, 2), 'today,17:53:00,3', '2015-02-04,noon,4');
      expect((await kept(broken)).result).toMatchObject({ stored: 2, errors: [{ line: 4 }, { line: 5 }] });
    });

    test('are read in the chosen zone and order', async () => {
      const text = file('time,a', '04/02/2015 17:51,1');
      expect(await times(text, { zone: 'Europe/Berlin' })).toEqual(['2015-02-04T16:51:00.000000Z']);
      expect(await times(text, { date_order: 'month-first' })).toEqual(['2015-04-02T17:51:00.000000Z']);
      expect(await refusalOf(importFile(text, { settings: { zone: 'Berlin' } }))).toMatch(
        /^zone must be an IANA time zone .* got "Berlin"$/,
      );
    });

    test('near a clock change are noted', async () => {
      const text = file('time,a', '2024-03-31 02:30:00,1', '2024-10-27 02:30:00,2', '2024-10-27 02:00:00,3');
      const { result } = await importFile(text, { settings: { zone: 'Europe/Berlin' } });
      expect(result.notes).toEqual([
        'The clocks in Europe/Berlin were changed within the recording, from UTC+01:00 to UTC+02:00. Where that of the logger was not, its offset is the zone to read the file by.',
        '1 time lies in an hour that clocks in Europe/Berlin skipped, and moved forward by it.',
        '2 times lie in an hour that clocks in Europe/Berlin went through twice: the first pass counts until the times step back or, where rows are an hour apart, come again.',
      ]);
      expect(result).toMatchObject({
        first: '2024-03-31T01:30:00.000000Z',
        last: '2024-10-27T01:00:00.000000Z',
      });
    });

    test('are those of the chosen column, or of receipt when there is none', async () => {
      const text = file('made,sent,a', '2015-02-04 17:51:00,2016-02-04 17:51:00,1');
      expect(await times(text, { time_column: 'sent', columns: 'a' })).toEqual([
        '2016-02-04T17:51:00.000000Z',
      ]);
      expect(await times(text, { time_column: '' })).toEqual([formatMicros(RECEIVED)]);
    });

    test('are never made up', async () => {
      expect(await refusalOf(importFile(file('a,b', '1,2')))).toMatch(
        /^time_column is required, since no column of times was found among "a", "b"/,
      );
      expect(await refusalOf(importFile(file('a,b', '1,2'), { settings: { time_column: 'c' } }))).toBe(
        'time_column must be one of "a", "b", or "" for none, got "c"',
      );
      expect(await refusalOf(importFile(file('a,b', 'x,2'), { settings: { time_column: 'a' } }))).toMatch(
        /^The time column "a" \[time_column=…\] holds no times: .* got "x"$/,
      );
    });
  });
}
