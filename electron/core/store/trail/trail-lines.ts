import { createHash } from 'node:crypto';
import type { OpenFile } from '../../disk/files.ts';
import { hashOf, type Head } from './chain.ts';
import { readLink } from './read-line.ts';

/* Lines in the bytes of a file. */

const LF = 10;
/** Bytes that are read at once. */
const PIECE = 64 << 10;

export interface FileLine {
  readonly text: string;
  readonly number: number;
}

/** All lines of bytes, also a last one without a line feed. */
export function splitLines(bytes: Buffer): FileLine[] {
  const lines: FileLine[] = [];
  for (let from = 0; from < bytes.length;) {
    const feed = bytes.indexOf(LF, from);
    const to = feed === -1 ? bytes.length : feed;
    lines.push({ text: bytes.toString('utf8', from, to), number: lines.length + 1 });
    from = to + 1;
  }
  return lines;
}

/** The last line that can be read. */
export function lastIn(bytes: Buffer): Head | null {
  for (const { from, to } of linesFromEnd(bytes)) {
    const line = bytes.subarray(from, to);
    const link = readLink(line.toString());
    if (link) return { n: link.n, hash: hashOf(line) };
  }
  return null;
}

/** Whole lines, the last first. */
export function* linesFromEnd(bytes: Buffer): Generator<{ readonly from: number; readonly to: number }> {
  let to = bytes.lastIndexOf(LF);
  while (to >= 0) {
    const before = to === 0 ? -1 : bytes.lastIndexOf(LF, to - 1);
    yield { from: before + 1, to };
    to = before;
  }
}

/** Resolves with the hash of the last line of a file, however long it is; null where it ends with none. Rejects with Node's errors. */
export async function hashOfLastLine(file: OpenFile): Promise<string | null> {
  const piece = Buffer.alloc(PIECE);
  const readAt = async (from: number, to: number) =>
    piece.subarray(0, await file.read(piece.subarray(0, to - from), from));
  const end = file.size - 1;
  if (end < 1 || (await readAt(end, end + 1))[0] !== LF) return null;
  let begin = 0;
  for (let to = end; to > 0 && begin === 0; to = Math.max(0, to - PIECE)) {
    const from = Math.max(0, to - PIECE);
    const feed = (await readAt(from, to)).lastIndexOf(LF);
    if (feed !== -1) begin = from + feed + 1;
  }
  const hash = createHash('sha256');
  for (let from = begin; from < end; from += PIECE)
    hash.update(await readAt(from, Math.min(end, from + PIECE)));
  return hash.digest('hex');
}
