import { describe, expect, test } from 'vitest';
import { plain, refusalOf } from '../../helpers/files/imports.ts';
import { file, type Imports } from './harness.ts';

/** Files with an object a line. */
export function ndjsonTests({ importFile, kept }: Imports): void {
  describe('NDJSON', () => {
    test('is records as devices send them', async () => {
      const text = file(
        '{"timestamp":"2015-02-04T17:51:00Z","a":{"b":1},"c":null}',
        '',
        '{"timestamp":1423072261000,"d":"x"}',
      );
      const { records, result } = await importFile(text, { chunk: 7 });
      expect(records.map(plain)).toEqual([{ 'a.b': 1 }, { d: 'x' }]);
      expect(result).toMatchObject({
        stored: 2,
        first: '2015-02-04T17:51:00.000000Z',
        last: '2015-02-04T17:51:01.000000Z',
      });
    });

    test('names the line that is wrong', async () => {
      expect(await refusalOf(importFile(file('{"a":1}', '', '{"a":1e999}')))).toBe(
        'line 3: the number of "a" is too large: at most 1.7976931348623157e308. Nothing was imported.',
      );
      expect(await refusalOf(importFile(file('{"a":1}', '{"a":')))).toMatch(
        /^line 2: must be one JSON object: .* Nothing was imported\.$/,
      );
      expect((await kept(file('{"a":1}', '{"a":', '[1]', '{"a":2}'))).result).toMatchObject({
        stored: 2,
        skipped: 2,
        errors: [{ line: 2 }, { line: 3 }],
      });
    });
  });
}
