import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NUMBER_BYTES, writeNumber } from '#core/store/blocks/codec/json-number.ts';
import { writeKnown } from '#core/store/blocks/codec/known-texts.ts';

/* Numbers of a column as JSON.stringify writes them: readings, calibrated ones, neighbours of short ones and whatever else. */

const reading = fc.tuple(fc.integer({ min: -5e6, max: 5e6 }), fc.integer({ min: 0, max: 6 }));
const short = reading.map(([digits, decimals]) => digits / 10 ** decimals);
const calibrated = fc
  .tuple(short, fc.constantFrom(1.002, 0.5, 9 / 5, 1 / 3), fc.constantFrom(0, 0.4, -273.15, 32))
  .map(([value, gain, offset]) => value * gain + offset);
/** So many doubles beside one: of what is short, or a power of two or of ten. */
const beside = fc
  .tuple(
    fc.oneof(
      short,
      fc.integer({ min: -40, max: 70 }).map((n) => 2 ** n),
      fc.integer({ min: -9, max: 22 }).map((n) => Number(`1e${n}`)),
    ),
    fc.integer({ min: -3, max: 3 }),
  )
  .map(([value, steps]) => value * (1 + steps * 2 ** -52));
const digits = fc
  .tuple(
    fc.double({ min: 1, max: 9, noNaN: true }),
    fc.integer({ min: 1, max: 17 }),
    fc.integer({ min: -9, max: 22 }),
  )
  .map(([value, precision, exponent]) => Number(`${value.toPrecision(precision)}e${exponent}`));
const number = fc.oneof(
  short,
  calibrated,
  beside,
  digits,
  calibrated.map(Math.fround),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

test('numbers are written as JSON.stringify does, whatever came before them in their column', () => {
  const bytes = Buffer.alloc(2 * NUMBER_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const written = (value: number, decimals: number[]) =>
    bytes.toString('latin1', 0, writeNumber(view, 0, value, decimals, 0));
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 40 }), (column) => {
      const decimals = [1];
      // Twice: the second time it is known how each is written.
      const all = [...column, ...column];
      expect(all.map((value) => written(value, decimals))).toEqual(all.map((value) => JSON.stringify(value)));
    }),
    { numRuns: 1000 },
  );
});

test('a thousand calibrated readings a step apart stay known, each with its own text', () => {
  const bytes = Buffer.alloc(2 * NUMBER_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const column = Array.from({ length: 1000 }, (_, i) => (20 + i / 100) * 1.002 + 0.4);
  const decimals = [1];
  // A first one without a short form: from there on every text is kept.
  for (const value of [1 / 3, ...column]) writeNumber(view, 0, value, decimals, 0);
  const known = column.filter((value) => {
    const end = writeKnown(view, 0, value);
    if (end >= 0) expect(bytes.toString('latin1', 0, end)).toBe(JSON.stringify(value));
    return end >= 0;
  });
  expect(known.length).toBeGreaterThan(900);
});
