import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAtOnce } from '#core/ingest/read-at-once.ts';
import { parsePayload } from '../../helpers/payloads.ts';

const NOW = 1_772_000_000_000_000;

/** What the reader of pieces makes of a body; null where it refuses it. */
function carefully(bytes: Uint8Array) {
  try {
    return parsePayload(bytes, 'application/json', NOW);
  } catch {
    return null;
  }
}

const value = fc.oneof(
  { weight: 5, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary' }) },
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 5 }),
);
const key = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('t', 'timestamp', '__proto__', '0', 'a.b'));
const record = fc.dictionary(key, value, { maxKeys: 5 });
const body = fc.oneof(
  record.map((one) => JSON.stringify(one)),
  fc.array(record, { maxLength: 4 }).map((some) => JSON.stringify(some, null, 1)),
  fc.jsonValue().map((one) => JSON.stringify(one)),
  fc.constantFrom('', ' ', '[]', '{', '{"a":1}{"a":2}', '{"a":1,"a":2}', '{"a":1e999}', '[{"a":1},]'),
);

test('a short body is read at once to the records that the reader of pieces makes, or left to it', () => {
  fc.assert(
    fc.property(body, (text) => {
      const bytes = Buffer.from(text);
      expect(readAtOnce(bytes, NOW)).toEqual(carefully(bytes));
    }),
    { numRuns: 2000 },
  );
});

test('bytes that are no UTF-8, and a byte order mark, are left to it', () => {
  expect(readAtOnce(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), NOW)).toBeNull();
  expect(readAtOnce(Buffer.from('\ufeff{"a":1}'), NOW)).toBeNull();
});
