import * as fc from 'fast-check';

/* Bytes that were right once: some are changed, taken out, doubled or put in. */

export interface Mutation {
  readonly kind: 'flip' | 'set' | 'insert' | 'remove' | 'double' | 'cut' | 'zero';
  /** Where, as a share of the length in 65,536ths, so that it means something for any length. */
  readonly at: number;
  readonly length: number;
  readonly byte: number;
}

/** Bytes that mean something to some reader. */
const MEANT = Array.from('\0\t\n\r "\',;{}[]:\\/%.-+eE09\u007f', (character) => character.charCodeAt(0));

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom<Mutation['kind']>('flip', 'set', 'insert', 'remove', 'double', 'cut', 'zero'),
  at: fc.nat(65_535),
  length: fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 8 }), weight: 4 },
    fc.integer({ min: 1, max: 400 }),
  ),
  byte: fc.oneof(fc.constantFrom(...MEANT, 0xff, 0xc0, 0xed, 0xef), fc.nat(255)),
});

export const mutations = (most: number): fc.Arbitrary<readonly Mutation[]> =>
  fc.array(mutation, { maxLength: most, size: 'max' });

/** The bytes after all of it; the given ones stay as they are. */
export function mutated(bytes: Uint8Array, changes: readonly Mutation[]): Buffer {
  return changes.reduce<Buffer>((now, change) => changed(now, change), Buffer.from(bytes));
}

function changed(bytes: Buffer, { kind, at, length, byte }: Mutation): Buffer {
  const place = Math.floor((at / 65_536) * (bytes.length + 1));
  const end = Math.min(bytes.length, place + length);
  const before = bytes.subarray(0, place);
  const part = bytes.subarray(place, end);
  const after = bytes.subarray(end);
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, part.map((one, i) => (i === 0 ? one ^ (1 << (byte % 8)) : one)), after]);
    case 'set':
      return Buffer.concat([before, part.map((one, i) => (i === 0 ? byte : one)), after]);
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(length, byte), part, after]);
    case 'remove':
      return Buffer.concat([before, after]);
    case 'double':
      return Buffer.concat([before, part, part, after]);
    case 'cut':
      return Buffer.from(before);
    case 'zero':
      return Buffer.concat([before, Buffer.alloc(part.length), after]);
  }
}
