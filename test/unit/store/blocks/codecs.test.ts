import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Block, isBlock } from '#core/store/blocks/block/block.ts';
import { encodeBlock } from '#core/store/blocks/block/block-writer.ts';
import { ByteReader, ByteWriter, wordsOf } from '#core/store/blocks/codec/bytes.ts';
import { Cursor } from '#core/store/blocks/query/cursor.ts';
import { NumberStream } from '#core/store/blocks/codec/number-stream.ts';
import { writeNumbers } from '#core/store/blocks/codec/number-writer.ts';
import { PageJson } from '#core/store/blocks/query/page-json.ts';
import { RowBuffer } from '#core/store/blocks/block/row-buffer.ts';
import { RowSlice } from '#core/store/blocks/block/row-slice.ts';
import { BufferedRows } from '#core/store/blocks/query/sorted-rows.ts';
import { Timeline } from '#core/store/blocks/query/timeline.ts';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '#shared/values/time.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import { recordJson } from '#core/store/record-json.ts';

/* The bytes of single parts: whatever goes in comes out, to the last bit. */

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer().map((n) => n / 100),
  fc.maxSafeInteger(),
  fc.constantFrom(
    0,
    -0,
    5e-324,
    1e-7,
    1e-6,
    1.7976931348623157e308,
    1e21,
    2 ** 53,
    0.1 + 0.2,
    123456789012345.6,
  ),
);

function roundTrip(values: readonly number[]): number[] {
  const out = new ByteWriter();
  writeNumbers(Float64Array.from(values), 0, values.length, out, new ByteWriter());
  const bytes = out.copy();
  const stream = new NumberStream(bytes, wordsOf(bytes), 0, values.length);
  expect(stream.end).toBe(bytes.length);
  const read = new Float64Array(values.length);
  stream.range(0, values.length, read, 0);
  for (let group = 0; group * 128 < values.length; group++) {
    const part = values.slice(group * 128, group * 128 + 128);
    expect(stream.min(group)).toBe(part.reduce((least, value) => (value < least ? value : least)));
    expect(stream.max(group)).toBe(part.reduce((most, value) => (value > most ? value : most)));
  }
  return [...read];
}

describe('numbers', () => {
  test('come back to the last bit, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 400 }), (values) => {
        expect(roundTrip(values)).toEqual(values);
      }),
      { numRuns: 200 },
    );
  });

  test('come back from walks, ticks with jitter and steps of every width', () => {
    const shape = fc.record({
      start: fc.maxSafeInteger(),
      step: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      bits: fc.integer({ min: 0, max: 53 }),
      decimals: fc.integer({ min: 0, max: 12 }),
      noise: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 300 }),
    });
    fc.assert(
      fc.property(shape, ({ start, step, bits, decimals, noise }) => {
        const values = noise.map(
          (unit, i) => (start + i * step + Math.floor(unit * 2 ** bits)) / 10 ** decimals,
        );
        expect(roundTrip(values)).toEqual(values);
      }),
      { numRuns: 300 },
    );
  });

  test('that never fall say how far neighbours lie apart at most, and closely where they tick', () => {
    const shape = fc.record({
      start: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
      unit: fc.constantFrom(1, 1000, 1_000_000, 0.01),
      steps: fc.array(fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 2 ** 30 })), {
        minLength: 1,
        maxLength: 300,
      }),
    });
    const streamOf = (values: readonly number[]) => {
      const out = new ByteWriter();
      writeNumbers(Float64Array.from(values), 0, values.length, out, new ByteWriter());
      const bytes = out.copy();
      return new NumberStream(bytes, wordsOf(bytes), 0, values.length);
    };
    fc.assert(
      fc.property(shape, ({ start, unit, steps }) => {
        let sum = start;
        const values = steps.map((step) => (sum += step) * unit);
        const stream = streamOf(values);
        for (let group = 0; group * 128 < values.length; group++) {
          const part = values.slice(group * 128, group * 128 + 128);
          const longest = Math.max(0, ...part.slice(1).map((value, i) => value - part[i]!));
          expect(stream.longestStep(group)).toBeGreaterThanOrEqual(longest);
        }
      }),
      { numRuns: 300 },
    );
    const ticks = Array.from({ length: 128 }, (_, i) => i * 1_000_000 + ((i * 7919) % 4000));
    expect(streamOf(ticks).longestStep(0)).toBeLessThan(1_020_000);
  });

  test('take next to nothing where they are regular', () => {
    const size = (values: number[]) => {
      const out = new ByteWriter();
      writeNumbers(Float64Array.from(values), 0, values.length, out, new ByteWriter());
      return out.length / values.length;
    };
    const thousand = Array.from({ length: 1024 }, (_, i) => i);
    expect(size(thousand.map(() => 21.5))).toBeLessThan(0.1);
    expect(size(thousand.map((i) => 1_772_483_421_000_000 + i * 1_000_000))).toBeLessThan(0.2);
    expect(size(thousand.map((i) => 20 + (i % 2) / 100))).toBeLessThan(0.3);
  });

  test('of one group can be read alone', () => {
    const values = Array.from({ length: 300 }, (_, i) => (i * i) / 8);
    const out = new ByteWriter();
    writeNumbers(Float64Array.from(values), 0, 300, out, new ByteWriter());
    const bytes = out.copy();
    const stream = new NumberStream(bytes, wordsOf(bytes), 0, 300);
    const read = new Float64Array(30);
    for (const from of [0, 120, 127, 128, 255, 256, 270]) {
      stream.range(from, from + 30, read, 0);
      expect([...read]).toEqual(values.slice(from, from + 30));
    }
  });
});

describe('texts and whole numbers', () => {
  test('come back, lone surrogates too', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('\ud800', 'a\udc00b', '\u0000'),
    );
    fc.assert(
      fc.property(text, fc.maxSafeInteger(), (written, whole) => {
        const out = new ByteWriter(1);
        out.text(written);
        out.signed(whole);
        out.varint(Math.abs(whole));
        const reader = new ByteReader(out.copy());
        expect([reader.text(), reader.signed(), reader.varint(), reader.rest]).toEqual([
          written,
          whole,
          Math.abs(whole),
          0,
        ]);
      }),
    );
  });

  test('that end too early are damage, not an answer', () => {
    const out = new ByteWriter();
    out.text('something');
    for (let size = 0; size < out.length; size++)
      expect(() => new ByteReader(out.copy().subarray(0, size)).text()).toThrow(/does not hold/);
  });
});

const key = fc.constantFrom('a', 'temp', '0', '__proto__', 'ä', '\ud83c', 'ключ');
const value: fc.Arbitrary<Value> = fc.oneof(
  number,
  fc.boolean(),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const hex: fc.Arbitrary<Value> = fc.stringMatching(/^([0-9a-f]{2}){1,12}$/);
const records: fc.Arbitrary<StoredRecord[]> = fc.array(
  fc
    .record({
      timestamp: fc.oneof(
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: FIRST_RECORD_TIME, max: LAST_RECORD_TIME }),
      ),
      received: fc.integer({ min: FIRST_RECORD_TIME, max: LAST_RECORD_TIME }),
      cells: fc.uniqueArray(fc.oneof(fc.tuple(key, value), fc.tuple(fc.constant('bytes'), hex)), {
        maxLength: 5,
        selector: ([name]) => name,
      }),
    })
    .map(({ timestamp, received, cells }) => ({
      timestamp,
      received,
      keys: cells.map(([name]) => name),
      values: cells.map(([, cell]) => cell),
    })),
  { minLength: 1, maxLength: 300 },
);

function sorted(given: readonly StoredRecord[]): StoredRecord[] {
  return given
    .toSorted((a, b) => a.timestamp - b.timestamp)
    .map((one) => {
      const order = one.keys.map((_, i) => i).toSorted((a, b) => (one.keys[a]! < one.keys[b]! ? -1 : 1));
      return { ...one, keys: order.map((i) => one.keys[i]!), values: order.map((i) => one.values[i]!) };
    });
}

function bufferOf(given: readonly StoredRecord[]): RowBuffer {
  const rows = new RowBuffer();
  for (const one of given) rows.add(one);
  return rows;
}

describe('a block', () => {
  test('holds what was put in, in order of time', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.nat(), (given, a, b) => {
        const bytes = encodeBlock(bufferOf(given));
        expect(isBlock(bytes)).toBe(true);
        const block = new Block(bytes);
        const window = new RowSlice();
        const [from, to] = [a % (given.length + 1), b % (given.length + 1)].toSorted((x, y) => x - y) as [
          number,
          number,
        ];
        block.readInto(window, from, to, { received: true });
        const read = Array.from({ length: to - from }, (_, row) => window.record(row));
        expect(read).toEqual(sorted(given).slice(from, to));
        const { timestamp } = given[0]!;
        expect(block.rowsBefore(timestamp, false)).toBe(
          given.filter((one) => one.timestamp < timestamp).length,
        );
        expect(block.rowsBefore(timestamp, true)).toBe(
          given.filter((one) => one.timestamp <= timestamp).length,
        );
      }),
      { numRuns: 150 },
    );
  });

  test('notices every bit that flips', () => {
    const bytes = encodeBlock(
      bufferOf([{ timestamp: 1, received: 2, keys: ['a', 'b'], values: [1.5, 'x'] }]),
    );
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(isBlock(flipped), `bit ${bit}`).toBe(false);
    }
  });
});

describe('a page', () => {
  test('is what JSON.stringify writes, byte for byte', () => {
    fc.assert(
      fc.property(records, (given) => {
        const timeline = new Timeline([new BufferedRows(bufferOf(given), false)]);
        const page = new PageJson(1);
        page.records(
          new Cursor(timeline, 0, given.length, true, { received: false }).next(given.length)!,
          false,
        );
        const expected = sorted(given)
          .toReversed()
          .map((one) => recordJson(one));
        expect(page.take().toString('utf8')).toBe(expected.join(','));
      }),
      { numRuns: 300 },
    );
  });

  test('writes numbers of every length and sign as JSON.stringify does', () => {
    const numbers = fc.oneof(
      number,
      fc
        .tuple(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), fc.integer({ min: 0, max: 14 }))
        .map(([n, k]) => n / 10 ** k),
      fc
        .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 22 }))
        .map(([n, k]) => n * 10 ** k),
    );
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 20 }), (values) => {
        const given = values.map((cell, i) => ({ timestamp: -i, received: 0, keys: ['v'], values: [cell] }));
        const timeline = new Timeline([new BufferedRows(bufferOf(given), false)]);
        const page = new PageJson();
        page.records(
          new Cursor(timeline, 0, given.length, true, { received: false }).next(given.length)!,
          false,
        );
        const read = page.take().toString('utf8');
        expect(read).toBe(given.map((one) => recordJson(one)).join(','));
      }),
      { numRuns: 500 },
    );
  });
});
