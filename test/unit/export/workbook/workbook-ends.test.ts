import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SheetNames } from '#core/export/workbook/sheet-names.ts';
import { writeWorkbook } from '#core/export/workbook/write-workbook.ts';
import { bytesOf, one, sheetsOf, type Pieces } from './made-workbook.ts';

/* How the writing of a workbook ends, and what its sheets are called. */

describe('who leaves a workbook, or cannot have it,', () => {
  const failing = (after: number) =>
    (async function* (): Pieces {
      for (let n = 0; n < after; n++) yield { bytes: Buffer.alloc(100_000, 0x20 + (n % 64)), length: 1 };
      throw new Error('the disk is gone');
    })();

  test('hears the reason before any byte where the first piece says it, and in its midst otherwise', async () => {
    const pieces = writeWorkbook({ devices: [{ name: 'a', pieces: failing(0) }], tables: [] });
    await expect(pieces.next()).rejects.toThrow('the disk is gone');
    await expect(one(failing(3))).rejects.toThrow('the disk is gone');
    const later = bytesOf({
      devices: [
        { name: 'a', pieces: sheetsOf([], ['a']) },
        { name: 'b', pieces: failing(2) },
      ],
    });
    await expect(later).rejects.toThrow('the disk is gone');
  });

  test('ends the reading of all devices', async () => {
    const ended: string[] = [];
    const endless = (name: string) =>
      (async function* (): Pieces {
        try {
          // Hardly compressible, so that bytes come.
          for (let n = 0; ; n++)
            yield {
              bytes: Buffer.from(Array.from({ length: 5000 }, (_, i) => Math.sin(n * i)).join()),
              length: 1,
            };
        } finally {
          ended.push(name);
        }
      })();
    for await (const { bytes } of writeWorkbook({
      devices: [{ name: 'a', pieces: endless('a') }],
      tables: [],
    }))
      if (bytes.length > 0) break;
    expect(ended).toEqual(['a']);
  });
});

describe('a workbook', () => {
  test('gives back the memory of pieces as soon as they are packed, and leaves memory alone that is of others, too', async () => {
    const shared = new ArrayBuffer(20_000);
    const own: Uint8Array[] = [];
    const held: number[] = [];
    const pieces = (async function* (): Pieces {
      for (let n = 0; n < 10; n++) {
        held.push(own.reduce((sum, { byteLength }) => sum + byteLength, 0));
        const bytes = new Uint8Array(10_000).fill(0x20 + n);
        own.push(bytes);
        yield { bytes, length: 1 };
        yield { bytes: new Uint8Array(shared, 0, 10_000).fill(0x20), length: 1 };
      }
    })();
    await one(pieces);
    expect(Math.max(...held)).toBeLessThanOrEqual(10_000);
    expect(own.map(({ byteLength }) => byteLength)).toEqual(own.map(() => 0));
    expect(shared.byteLength).toBe(20_000);
  });
});

describe('a sheet', () => {
  test.each([
    ['PT-107', 'PT-107'],
    ['a/b\\c?d*e[f]g:h', 'a-b-c-d-e-f-g-h'],
    ["'quoted'", 'quoted'],
    ['', 'Sheet'],
    ['\u0000', '-'],
    ['x'.repeat(40), 'x'.repeat(31)],
    [`${'x'.repeat(30)}😀`, 'x'.repeat(30)],
    ['\ud800', '\ufffd'],
    ['History', 'History (2)'],
  ])('of %j is called %j', (wanted, name) => {
    expect(new SheetNames().take(wanted)).toBe(name);
  });

  test('has a name of its own, whatever the case, of at most 31 characters that Excel takes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom('a', 'A', 'ß', 'SS', 'x'.repeat(31), "'"), fc.string({ unit: 'binary' })),
          {
            maxLength: 30,
          },
        ),
        (wanted) => {
          const names = new SheetNames();
          const taken = wanted.map((each) => names.take(each));
          expect(new Set(taken.map((name) => name.toLowerCase())).size).toBe(taken.length);
          for (const name of taken) {
            expect(name.length).toBeLessThanOrEqual(31);
            // oxlint-disable-next-line no-control-regex -- they are what is looked for
            expect(name).toMatch(/^(?!')[^\\/?*[\]:\u0000-\u001f]+(?<!')$/u);
          }
        },
      ),
    );
  });
});
