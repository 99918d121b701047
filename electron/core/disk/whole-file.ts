import { errorCode } from './errors.ts';
import type { Files } from './files.ts';

/** Resolves with all bytes of a file; null where there is none. Throws Node's errors. */
export async function readWhole(files: Files, path: string): Promise<Buffer | null> {
  try {
    const file = files.openForReading(path);
    try {
      const bytes = Buffer.alloc(file.size);
      return bytes.subarray(0, await file.read(bytes, 0));
    } finally {
      file.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Returns all bytes of a small file, read at once. Throws Node's errors, ENOENT where there is none. */
export function readWholeNow(files: Files, path: string): Buffer {
  const file = files.openForReading(path);
  try {
    const bytes = Buffer.alloc(file.size);
    return bytes.subarray(0, file.readNow(bytes, 0));
  } finally {
    file.close();
  }
}

/** Content of a file: all of it, or its pieces one after the other. */
export type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Makes a file, or empties the one there is, and makes its bytes durable; its name is not yet. Throws Node's errors. */
export async function writeWhole(files: Files, path: string, content: Content, mode?: number): Promise<void> {
  const file = files.openForWriting(path, true, mode);
  try {
    if (typeof content === 'string') await file.write(Buffer.from(content), 0);
    else if (content instanceof Uint8Array) await file.write(content, 0);
    else {
      let at = 0;
      for await (const piece of content) {
        await file.write(piece, at);
        at += piece.length;
      }
    }
    await file.sync();
  } finally {
    file.close();
  }
}

/** Bytes that are read at once. */
const PIECE_BYTES = 1 << 18;

/** Yields the bytes of a file, piece by piece, each to be kept by whoever takes it. Throws Node's errors. */
export async function* readInPieces(files: Files, path: string): AsyncGenerator<Buffer<ArrayBuffer>> {
  const file = files.openForReading(path);
  try {
    for (let at = 0; ;) {
      const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
      const length = await file.read(piece, at);
      if (length === 0) return;
      yield piece.subarray(0, length);
      at += length;
    }
  } finally {
    file.close();
  }
}
