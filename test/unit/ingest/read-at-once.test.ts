import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAtOnce } from '#core/ingest/read-at-once.ts';
import { readPayload } from '#core/ingest/upload.ts';
import { parsePayload } from '../../helpers/files/payloads.ts';

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

const said = (error: unknown) => (error as Error).message;

/** What `readPayload` makes of bytes, or what it says is wrong with them. */
const outcome = async (bytes: Uint8Array | AsyncIterable<Uint8Array>, contentType: string | undefined) => {
  try {
    return await readPayload({ contentType, bytes, now: () => NOW }, null);
  } catch (error) {
    return said(error);
  }
};

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

test('a body that is there, one that arrives, and the reader of pieces say the same, faults included', async () => {
  const anyBody = fc.oneof(
    { weight: 4, arbitrary: body.map((text) => Buffer.from(text)) },
    fc.array(body, { maxLength: 4 }).map((lines) => Buffer.from(lines.join('\n'))),
    fc.tuple(body, fc.nat(40)).map(([text, at]) => Buffer.from(text).subarray(0, at)),
    fc.uint8Array({ maxLength: 40 }),
    // Around the length up to which bodies are read at once.
    fc
      .integer({ min: 8180, max: 8200 })
      .map((length) => Buffer.from(JSON.stringify({ a: 'x'.repeat(length - 8) }))),
  );
  const types = fc.constantFrom('application/json', 'application/x-ndjson', undefined);
  await fc.assert(
    fc.asyncProperty(anyBody, types, fc.integer({ min: 1, max: 50 }), async (bytes, type, size) => {
      let expected: unknown;
      try {
        const records = parsePayload(bytes, type, NOW);
        expected = { count: records.length, records };
      } catch (error) {
        expected = said(error);
      }
      expect(await outcome(bytes, type)).toEqual(expected);
      expect(await outcome(pieces(bytes, Math.max(size, bytes.length >> 4)), type)).toEqual(expected);
    }),
    { numRuns: 400 },
  );
});

test('a short record that is there is read without waiting, what is wrong with one is not', async () => {
  const source = (text: string) => ({
    contentType: undefined,
    bytes: Buffer.from(text),
    now: () => NOW,
  });
  expect(readPayload(source('{"a":1}'), null)).toMatchObject({ count: 1, records: [{ keys: ['a'] }] });
  await expect(readPayload(source('{"a":}'), null)).rejects.toThrow(/^The body is not valid JSON/);
});

test('bytes that are no UTF-8, and a byte order mark, are left to it', () => {
  expect(readAtOnce(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), NOW)).toBeNull();
  expect(readAtOnce(Buffer.from('\ufeff{"a":1}'), NOW)).toBeNull();
});
