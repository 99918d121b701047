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

/** Whether two files hold the same bytes. Throws Node's errors. */
export async function areSame(files: Files, a: string, b: string): Promise<boolean> {
  const others = piecesOf(files, b);
  for await (const piece of piecesOf(files, a)) {
    const { value } = await others.next();
    if (!value || Buffer.compare(piece, value) !== 0) {
      await others.return(undefined);
      return false;
    }
  }
  return (await others.next()).done ?? false;
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
