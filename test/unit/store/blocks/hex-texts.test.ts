import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { Block } from '#core/store/blocks/block/block.ts';
import { encodeBlock } from '#core/store/blocks/block/block-writer.ts';
import { BufferColumn } from '#core/store/blocks/block/buffer-column.ts';
import { HEX, TEXT } from '#core/store/blocks/block/cell-kind.ts';
import { HexTexts } from '#core/store/blocks/block/hex-texts.ts';
import { recordsIn } from '#core/store/blocks/block/records-in.ts';
import { RowBuffer } from '#core/store/blocks/block/row-buffer.ts';
import { RowSlice } from '#core/store/blocks/block/row-slice.ts';
import { writeDictionary, writeTexts } from '#core/store/blocks/block/text-writer.ts';
import { ByteWriter, wordsOf } from '#core/store/blocks/codec/bytes.ts';
import { NumberStream } from '#core/store/blocks/codec/number-stream.ts';
import { writeNumbers } from '#core/store/blocks/codec/number-writer.ts';
import type { Value } from '#core/store/store.ts';

/* Columns of texts that are bytes in hexadecimal: two digits take one byte. */

/** Bytes in hexadecimal that are the same each time, of each number others. */
function payload(n: number, bytes: number): string {
  const digits = Array.from({ length: Math.ceil(bytes / 32) }, (_, part) =>
    createHash('sha256').update(`${n} ${part}`).digest('hex'),
  );
  return digits.join('').slice(0, bytes * 2);
}

/** A block with a row a millisecond, whose cell of the one key is absent where it is undefined. */
function blockOf(cells: readonly (Value | undefined)[]): Buffer<ArrayBuffer> {
  const rows = new RowBuffer();
  for (const [i, cell] of cells.entries())
    rows.add({
      timestamp: i * 1000,
      received: i * 1000,
      keys: cell === undefined ? [] : ['uplink.bytes'],
      values: cell === undefined ? [] : [cell],
    });
  return encodeBlock(rows);
}

function cellsIn(block: Block, from: number, to: number): (Value | undefined)[] {
  const slice = new RowSlice();
  block.readInto(slice, from, to, { received: false });
  return Array.from({ length: to - from }, (_, row) => slice.columns[0]?.value(row));
}

/** The column alone, and what its texts take in a dictionary. */
function written(texts: readonly string[]) {
  const column = new BufferColumn('uplink.bytes', texts.length);
  for (const [row, text] of texts.entries()) column.add(row, text);
  const picked = {
    column,
    cells: Uint32Array.from(texts, (_, i) => i),
    count: texts.length,
    numbers: new Float64Array(texts.length),
  };
  const [out, words, dictionary] = [new ByteWriter(), new ByteWriter(), new ByteWriter()];
  const kind = writeTexts(picked, out, words);
  writeDictionary(picked, dictionary, words);
  return { kind, bytes: out.length, inDictionary: dictionary.length };
}

const bytes = (most: number) => fc.uint8Array({ minLength: 1, maxLength: most });
const hex = bytes(60).map((each) => Buffer.from(each).toString('hex'));
const odd: fc.Arbitrary<Value | undefined> = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    'abc',
    'AB',
    '0aFF',
    '0x',
    'g0',
    '0g',
    '\ud8000',
    'ä0',
    // Its lower byte is that of "0".
    '\u01300',
    '٣٣',
    '0\u0000',
    undefined,
    1,
    true,
  ),
  fc.string(),
);
/** Payloads of one length, of many, of few that come again, with rows that lack them, and with one that is something else. */
const columns: fc.Arbitrary<(Value | undefined)[]> = fc
  .tuple(
    fc.oneof(
      fc
        .integer({ min: 1, max: 40 })
        .map((length) => fc.uint8Array({ minLength: length, maxLength: length }))
        .chain((each) =>
          fc.array(
            each.map((digits) => Buffer.from(digits).toString('hex')),
            { minLength: 1, maxLength: 400 },
          ),
        ),
      fc.array(hex, { minLength: 1, maxLength: 400 }),
      fc
        .array(hex, { minLength: 1, maxLength: 5 })
        .chain((few) => fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 400 })),
    ),
    fc.array(fc.nat(400), { maxLength: 200 }),
    fc.option(fc.tuple(fc.nat(400), odd), { nil: null }),
  )
  .map(([texts, absent, other]) => {
    const cells: (Value | undefined)[] = [...texts];
    for (const row of absent) if (row < cells.length) cells[row] = undefined;
    if (other !== null) cells[other[0] % cells.length] = other[1];
    return cells;
  });

describe('a column of texts', () => {
  test('comes back as it was, whole and in part, whatever of it is hexadecimal', () => {
    fc.assert(
      fc.property(columns, fc.nat(), fc.nat(), (cells, a, b) => {
        const block = new Block(blockOf(cells));
        const [from, to] = [a % (cells.length + 1), b % (cells.length + 1)].toSorted((x, y) => x - y) as [
          number,
          number,
        ];
        expect(cellsIn(block, from, to)).toEqual(cells.slice(from, to));
        expect(cellsIn(block, 0, cells.length)).toEqual(cells);
        const [column] = block.columns;
        const present = cells.filter((cell) => cell !== undefined);
        expect(column?.count ?? 0).toBe(present.length);
        expect(column?.numeric ?? 0).toBe(present.filter((cell) => typeof cell !== 'string').length);
        if (present.length > 0 && present.every((cell) => typeof cell === 'string'))
          expect(column?.kind).toBe(TEXT);
      }),
      { numRuns: 300 },
    );
  });

  test('takes the shorter of its forms', () => {
    let asBytes = 0;
    fc.assert(
      fc.property(columns, (cells) => {
        const texts = cells.filter((cell) => typeof cell === 'string');
        fc.pre(texts.length > 0);
        const { kind, bytes: taken, inDictionary } = written(texts);
        expect(kind === HEX ? taken < inDictionary : taken === inDictionary).toBe(true);
        if (kind === HEX) {
          asBytes++;
          expect(texts.every((text) => /^(?:[0-9a-f]{2})+$/.test(text))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
    expect(asBytes).toBeGreaterThan(20);
  });

  test.each([12, 24, 51, 222])('of %i bytes each takes their size and at most 15 % more', (length) => {
    const texts = Array.from({ length: 1024 }, (_, n) => payload(n, length));
    const without = blockOf(texts.map((_, n) => n % 2 === 0)).length;
    const alone = written(texts).bytes;
    expect(alone).toBeLessThanOrEqual(1.15 * 1024 * length);
    expect(blockOf(texts).length - without).toBeLessThanOrEqual(1.15 * 1024 * length);
  });

  test('of 1 to 51 bytes each takes their size and at most 15 % more', () => {
    const lengths = Array.from({ length: 1024 }, (_, n) => 1 + ((n * 7919) % 51));
    const all = lengths.reduce((sum, length) => sum + length);
    expect(written(lengths.map((length, n) => payload(n, length))).bytes).toBeLessThanOrEqual(1.15 * all);
  });

  test('of payloads that come again stays a dictionary', () => {
    const texts = Array.from({ length: 1024 }, (_, n) => payload(n % 8, 24));
    expect(written(texts)).toMatchObject({
      kind: TEXT,
      bytes: expect.toSatisfy((size: number) => size < 1024),
    });
  });

  test('is not tried as bytes where its first text, or the length of one, says that it is something else', () => {
    const tried = vi.spyOn(ByteWriter.prototype, 'hex');
    const hexadecimal = Array.from({ length: 100 }, (_, n) => payload(n, 12));
    for (const texts of [
      ['valve open', ...hexadecimal],
      [...hexadecimal, 'abc'],
      [...hexadecimal, ''],
    ])
      expect(written(texts).kind).toBe(TEXT);
    expect(tried).not.toHaveBeenCalled();
    expect(written([...hexadecimal, 'abcX']).kind).toBe(TEXT);
    expect(written(hexadecimal).kind).toBe(HEX);
    expect(tried).toHaveBeenCalledTimes(2);
  });

  test('makes the texts of the rows that are read, and no others', () => {
    const texts = Array.from({ length: 1024 }, (_, n) => payload(n, 12));
    const block = blockOf(texts);
    const made = vi.spyOn(block, 'toString');
    const read = new Block(block);
    made.mockClear();
    expect(cellsIn(read, 700, 701)).toEqual([texts[700]]);
    expect(made.mock.calls.map(([encoding]) => encoding)).toEqual(['hex']);
  });
});

describe('lengths that make no sense', () => {
  const textsOf = (lengths: readonly number[], behind: number) => {
    const out = new ByteWriter();
    writeNumbers(Float64Array.from(lengths), 0, lengths.length, out, new ByteWriter());
    out.zeros(behind);
    const all = out.copy();
    return new HexTexts(all, new NumberStream(all, wordsOf(all), 0, lengths.length));
  };

  test.each([
    [[0]],
    [[-1]],
    [[2.5]],
    [[NaN]],
    [[Infinity]],
    [[9]],
    [[4, 5]],
    [[12, -4]],
    [[2 ** 53]],
    [[2 ** 32 + 1]],
  ])('are damage: %j of 8 bytes', (lengths) => {
    expect(() => textsOf(lengths, 8)).toThrow(expect.objectContaining({ code: 'damaged' }));
  });

  test('are found in a block whose CRC somebody made right', () => {
    const good = blockOf([payload(1, 3), payload(2, 5), payload(3, 8)]);
    let refused = 0;
    for (let at = 20; at < good.length; at++)
      for (const value of [0, 1, 127, 128, 255]) {
        const harmed = Buffer.from(good);
        harmed.writeUInt8(value, at);
        harmed.writeUInt32LE(crc32(harmed.subarray(4)), 0);
        const records = recordsIn(harmed);
        if (records === null) refused++;
        else
          for (const { values } of records)
            for (const text of values) expect(String(text)).toMatch(/^[0-9a-f]*$/);
      }
    expect(refused).toBeGreaterThan(20);
  });
});
