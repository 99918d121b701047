import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachment } from '#core/http/attachment.ts';

/* What a client that follows RFC 6266 calls the file that it saves. */

/** Reads the name as RFC 8187, 3.2 says. */
function nameIn(disposition: string): string {
  const [, encoded = ''] = /; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(disposition) ?? [];
  return decodeURIComponent(encoded);
}

test.each([
  ['Größe', 'Größe.csv'],
  ['Kessel 3 (Süd)', 'Kessel 3 (Süd).csv'],
  ['ポンプ 🚰', 'ポンプ 🚰.csv'],
  ["Bob's 100 %", "Bob's 100 %.csv"],
  ['a/b\\c:d', 'a-b-c-d.csv'],
  ['..', 'records.csv'],
  ['', 'records.csv'],
  ['v1.2', 'v1.2.csv'],
])('of a device "%s" it is %s', (name, file) => {
  expect(nameIn(attachment(name, 'csv'))).toBe(file);
});

test('a client that reads no other gets the same in plain letters', () => {
  expect(attachment('Größe 1', 'csv')).toContain('filename="Gr__e 1.csv";');
});

test('any name is a header, and never the way to another folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const header = attachment(name, 'ndjson');
      expect(header).toMatch(/^[\x20-\x7e]+$/);
      expect(nameIn(header)).toMatch(/^[^./\\][^/\\]*\.ndjson$/);
    }),
    { numRuns: 2000 },
  );
});
