import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { comparedPieces } from '#core/disk/pieces.ts';

const PIECE = 1 << 20;
let directory: string;
let open: number;

/** Those of the system, counting what stays open; reads of a file of this name fail. */
const files = (failing?: string): Files => ({
  ...nodeFiles,
  openForReading(path) {
    const file = nodeFiles.openForReading(path);
    open++;
    return {
      ...file,
      size: file.size,
      read: (into, at) =>
        failing !== undefined && path.endsWith(failing)
          ? Promise.reject(new Error('EIO'))
          : file.read(into, at),
      close() {
        open--;
        file.close();
      },
    };
  },
});

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-pieces-'));
  open = 0;
});
afterEach(async () => {
  expect(open).toBe(0);
  await rm(directory, { recursive: true });
});

async function compare(one: Buffer, other: Buffer | null, failing?: string) {
  const [a, b] = [join(directory, 'one'), join(directory, 'other')];
  await writeFile(a, one);
  if (other) await writeFile(b, other);
  const both = comparedPieces(files(failing), a, b);
  const pieces: Buffer[] = [];
  // Written over, as who reads metadata does.
  for await (const piece of both.pieces) pieces.push(Buffer.from(piece), piece.fill(0));
  expect(Buffer.concat(pieces.filter((_, i) => i % 2 === 0)).equals(one)).toBe(true);
  return both.areSame();
}

const bytes = (length: number) => Buffer.alloc(length, 'a line of a file\n');

describe('two files that are read beside each other', () => {
  test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])('are the same with %i bytes', async (length) => {
    expect(await compare(bytes(length), bytes(length))).toBe(true);
  });

  test.each([1, PIECE, PIECE + 1, 3 * PIECE])('differ by a byte of %i, or one more', async (length) => {
    for (const at of new Set([0, length >> 1, length - 1])) {
      const other = bytes(length);
      other.writeUInt8(7, at);
      expect(await compare(bytes(length), other)).toBe(false);
    }
    expect(await compare(bytes(length), bytes(length - 1))).toBe(false);
    expect(await compare(bytes(length), bytes(length + 1))).toBe(false);
  });

  test('are not the same where the other is missing or cannot be read', async () => {
    expect(await compare(bytes(2 * PIECE), null)).toBe(false);
    expect(await compare(bytes(2 * PIECE), bytes(2 * PIECE), 'other')).toBe(false);
  });

  test('are closed, too, where the first cannot be read or no more of it is wanted', async () => {
    await expect(compare(bytes(PIECE), bytes(PIECE), 'one')).rejects.toThrow('EIO');
    const both = comparedPieces(files(), join(directory, 'one'), join(directory, 'other'));
    for await (const piece of both.pieces) if (piece.length > 0) break;
    expect(both.areSame()).toBe(false);
  });
});
