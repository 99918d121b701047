import { describe, expect, test } from 'vitest';
import { plain, refusalOf } from '../../helpers/files/imports.ts';
import { file, type Imports } from './harness.ts';

/** What becomes of a file with rows that cannot be read. */
export function badRowTests({ importFile, kept }: Imports): void {
  describe('a file with bad rows', () => {
    const rows = ['time,a', '2015-02-04 17:51:00,1', '2015-02-04 17:52:00,2', '2015-02-04 17:53:00,3'];

    test.each([
      [
        'yesterday,4',
        'line 5: time must be a time like "2015-02-04 17:51:00", got "yesterday". Nothing was imported.',
      ],
      [',4', 'line 5: time must be a time like "2015-02-04 17:51:00", got "". Nothing was imported.'],
      [
        '2015-02-30 17:51:00,4',
        'line 5: time must be a time like "2015-02-04 17:51:00", got "2015-02-30 17:51:00". Nothing was imported.',
      ],
      [
        '1699-12-31 17:51:00,4',
        'line 5: timestamp must lie in the years 1700 to 2200, got "1699-12-31 17:51:00". Nothing was imported.',
      ],
      ['2015-02-04 17:54:00', 'line 5: expected 2 fields as in the first rows, got 1. Nothing was imported.'],
      [
        '2015-02-04 17:54:00,4,5',
        'line 5: expected 2 fields as in the first rows, got 3. Nothing was imported.',
      ],
      [
        '2015-02-04 17:54:00,1e999',
        'line 5: the number "1e999" is too large: at most 1.7976931348623157e308. Nothing was imported.',
      ],
      [
        '2015-02-04 17:54:00,"4"4',
        'line 5: a " inside a text must be doubled, and the whole text must stand in quotes. Nothing was imported.',
      ],
      [
        '2015-02-04 17:54:00,"4',
        'line 5: a text that begins with " must end with ", and none follows. Nothing was imported.',
      ],
    ])(
      'is refused whole, with the line, what was expected and what stood there: %s',
      async (row, message) => {
        expect(await refusalOf(importFile(file(...rows, row)))).toBe(message);
      },
    );

    test('names the first bad line even far behind the sample', async () => {
      const many = Array.from({ length: 5000 }, (_, row) => `2015-02-04 17:51:00,${row}`);
      const text = file('time,a', ...many, '"broken"x,1', 'bad,1');
      expect(await refusalOf(importFile(text, { chunk: 1000 }))).toMatch(/^line 5002: /);
    });

    test('keeps the good rows on request, and lists the first bad ones', async () => {
      const good = Array.from({ length: 40 }, (_, row) => `2015-02-04 17:51:${row + 10},${row}`);
      const bad = Array.from({ length: 30 }, (_, row) => `bad ${row},1`);
      const text = file('time,a', ...good, ...bad, '2015-02-04 17:54:00,"4"4', '2015-02-04 17:55:00,5');
      const { result, records } = await kept(text);
      expect(records.map(plain)).toEqual([...good.map((_, row) => ({ a: row })), { a: 5 }]);
      expect(result).toMatchObject({
        stored: 41,
        skipped: 31,
        first: '2015-02-04T17:51:10.000000Z',
        last: '2015-02-04T17:55:00.000000Z',
      });
      expect(result.errors).toHaveLength(20);
      expect(result.errors[0]).toEqual({
        line: 42,
        message: 'time must be a time like "2015-02-04 17:51:10", got "bad 0"',
      });
      expect(result.notes).toContain('31 rows could not be read; the first 20 are listed.');
    });

    test('names a broken header too', async () => {
      const text = file('"time"x,a', 'time,a', '2015-02-04 17:51:00,1');
      expect(await refusalOf(importFile(text))).toMatch(/^line 1: a " inside a text must be doubled/);
      expect((await kept(text)).result).toMatchObject({ stored: 1, errors: [{ line: 1 }] });
    });

    test('keeps what was written before the power failed', async () => {
      const { result } = await kept(file(...rows, '2015-02-04 17:5'));
      expect(result).toMatchObject({ stored: 3, skipped: 1, errors: [{ line: 5 }] });
    });

    test('does not take rows at the time of receipt because the first rows are broken', async () => {
      const text = file('time,a', '"x"y,1', '"x"y,1', ...rows.slice(1));
      expect((await kept(text)).result).toMatchObject({
        stored: 3,
        skipped: 2,
        first: '2015-02-04T17:51:00.000000Z',
      });
      const long = await kept(`time,a\n"${'x'.repeat(100_000)}\n2015-02-04 17:51:00,1`);
      expect(long.result).toMatchObject({ stored: 1, skipped: 1, errors: [{ line: 2 }] });
    });
  });
}
