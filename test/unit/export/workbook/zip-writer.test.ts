import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { ZipWriter } from '#core/export/workbook/zip-writer.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

/* ZIP files beside those of yazl, which shares no code with what writes them here. */

const LEVEL = 2;
const ENTRY = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, compressionLevel: LEVEL } as const;

interface File {
  readonly name: string;
  /** Pieces of a streamed one, or a whole text. */
  readonly holds: readonly Uint8Array[] | string;
}

async function written(files: readonly File[], most?: number): Promise<Buffer> {
  const zip = new ZipWriter(LEVEL, most);
  const pieces: Buffer[] = [];
  for (const { name, holds } of files) {
    const bytes =
      typeof holds === 'string' ? zip.whole(name, holds) : zip.streamed(name, streamOf(holds.map(copied)));
    for await (const piece of bytes) pieces.push(Buffer.from(piece));
  }
  return Buffer.concat([...pieces, ...zip.end()]);
}

async function byYazl(files: readonly File[], forceZip64Format: boolean): Promise<Buffer> {
  const zip = new ZipFile();
  const options = { ...ENTRY, forceZip64Format };
  for (const { name, holds } of files)
    if (typeof holds === 'string') zip.addBuffer(Buffer.from(holds), name, options);
    else zip.addReadStream(Readable.from(streamOf(holds.map(copied)), { objectMode: false }), name, options);
  zip.end({ forceZip64Format, comment: '' });
  return buffer(zip.outputStream);
}

const copied = (bytes: Uint8Array) => Buffer.from(bytes);

async function* streamOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer, void, undefined> {
  yield* pieces;
}

const anyFile: fc.Arbitrary<File> = fc.record({
  name: fc.constantFrom('a.xml', 'xl/worksheets/sheet1.xml', 'Größe', '😀'),
  holds: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.array(
      fc
        .tuple(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 900 }))
        .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes))),
      { maxLength: 6 },
    ),
  ),
});

describe('a ZIP file', () => {
  test('is byte for byte what yazl writes of the same files', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFile, { maxLength: 6 }), async (files) => {
        const [ours, theirs] = [await written(files), await byYazl(files, false)];
        expect(ours.equals(theirs)).toBe(true);
      }),
      { numRuns: someRuns(100) },
    );
  });

  test('is so in ZIP64, where numbers have no room in 32 bits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFile, { minLength: 1, maxLength: 6 }), async (files) => {
        const [ours, theirs] = [await written(files, -1), await byYazl(files, true)];
        expect(ours.equals(theirs)).toBe(true);
      }),
      { numRuns: someRuns(100) },
    );
  });

  test('is done with a piece when it asks for the next one, so that its memory can be used again', async () => {
    const pieces = Array.from({ length: 20 }, (_, n) =>
      Buffer.from(Array.from({ length: 30_000 }, (__, i) => Math.sin(n * 30_000 + i)).join()),
    );
    async function* reusing() {
      const memory = Buffer.allocUnsafeSlow(Math.max(...pieces.map(({ length }) => length)));
      for (const piece of pieces) {
        yield memory.subarray(0, piece.copy(memory));
        memory.fill(0);
      }
    }
    const zip = new ZipWriter(LEVEL);
    const ours: Buffer[] = [];
    for await (const piece of zip.streamed('a', reusing())) ours.push(piece);
    expect(ours.filter(({ length, buffer: { byteLength } }) => length === byteLength).length).toBeGreaterThan(
      20,
    );
    const theirs = await byYazl([{ name: 'a', holds: pieces }], false);
    expect(Buffer.concat([...ours, ...zip.end()]).equals(theirs)).toBe(true);
  });

  test('rejects as what it reads does, and leaves nothing open for who leaves it early', async () => {
    const ended: string[] = [];
    async function* failing() {
      yield Buffer.alloc(10);
      throw new Error('the disk is gone');
    }
    async function* endless() {
      try {
        for (let n = 0; ; n++)
          yield Buffer.from(Array.from({ length: 9000 }, (_, i) => Math.sin(n * i)).join());
      } finally {
        ended.push('endless');
      }
    }
    const drained = async (bytes: AsyncIterable<Buffer>) => {
      let length = 0;
      for await (const piece of bytes) length += piece.length;
      return length;
    };
    await expect(drained(new ZipWriter(LEVEL).streamed('a', failing()))).rejects.toThrow('the disk is gone');
    let seen = 0;
    for await (const piece of new ZipWriter(LEVEL).streamed('a', endless()))
      if ((seen += piece.length) > 100_000) break;
    expect(ended).toEqual(['endless']);
  });
});
