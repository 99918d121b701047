import { errorCode } from './errors.ts';
import type { Files } from './files.ts';

/* Files of any size, a piece after the other: none of it needs more memory than a piece. */

const PIECE = 1 << 20;

/** The bytes of a file in order, each piece a buffer of its own. Throws Node's errors, ENOENT where there is none. */
export async function* piecesOf(files: Files, path: string): AsyncGenerator<Buffer> {
  const file = files.openForReading(path);
  try {
    for (let at = 0; ;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const count = await file.read(piece, at);
      if (count > 0) yield piece.subarray(0, count);
      if (count < PIECE) return;
      at += count;
    }
  } finally {
    file.close();
  }
}

/** Joins small pieces until they are worth a write. */
export async function* inLargePieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < PIECE) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/** The pieces of a file, read beside those of another one. */
export interface Compared {
  readonly pieces: AsyncIterable<Buffer>;
  /** Whether the other holds the same bytes, once all pieces were taken; false also where it cannot be read. */
  areSame(): boolean;
}

/** Compares two files while the pieces of the first are taken, which is then read once for both. */
export function comparedPieces(files: Files, path: string, other: string): Compared {
  let areSame = false;
  async function* pieces(): AsyncGenerator<Buffer> {
    const others = piecesOf(files, other);
    // Why it cannot be read is told by who reads it for itself.
    const nextOther = () => others.next().catch(() => null);
    let isSameSoFar = true;
    let second = nextOther();
    try {
      for await (const piece of piecesOf(files, path)) {
        if (isSameSoFar) {
          const compared = await second;
          isSameSoFar = compared?.done === false && piece.equals(compared.value);
          if (isSameSoFar) second = nextOther();
        }
        yield piece;
      }
      areSame = isSameSoFar && (await second)?.done === true;
    } finally {
      await others.return(undefined);
    }
  }
  return { pieces: pieces(), areSame: () => areSame };
}

/** Whether there is a file of this name. Throws Node's errors. */
export function isThere(files: Files, path: string): boolean {
  try {
    files.openForReading(path).close();
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
