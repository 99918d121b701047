import type { Files, OpenFile } from '../../disk/files.ts';
import { piecesOf } from '../../disk/pieces.ts';
import type { StoredLine } from './trail.ts';

/* Lines of a file of any size, a piece in memory at a time. */

const LF = 10;
/** Bytes that are read at once from the end. */
const PIECE = 1 << 20;

/** All lines, also a last one without a line feed. Throws Node's errors. */
export async function* linesIn(files: Files, path: string, title: string): AsyncGenerator<StoredLine> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  const line = (bytes: Buffer): StoredLine => ({
    text: bytes.toString('utf8'),
    place: `${title}, line ${++number}`,
  });
  for await (const piece of piecesOf(files, path)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let from = 0;
    for (let feed = bytes.indexOf(LF); feed !== -1; feed = bytes.indexOf(LF, from)) {
      yield line(bytes.subarray(from, feed));
      from = feed + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) yield line(rest);
}

/** The same, the last first; their place is the file's. */
export async function* linesBackIn(files: Files, path: string, title: string): AsyncGenerator<StoredLine> {
  const file = files.openForReading(path);
  try {
    let rest: Buffer = Buffer.alloc(0);
    let to = file.size;
    while (to > 0) {
      const from = Math.max(0, to - PIECE);
      const bytes = Buffer.concat([await readAt(file, from, to), rest]);
      let end = bytes.length;
      for (let feed = lastFeed(bytes, end); feed !== -1; feed = lastFeed(bytes, end)) {
        if (feed + 1 < end) yield { text: bytes.toString('utf8', feed + 1, end), place: title };
        end = feed;
      }
      rest = bytes.subarray(0, end);
      to = from;
    }
    if (rest.length > 0) yield { text: rest.toString('utf8'), place: title };
  } finally {
    file.close();
  }
}

/** Before a place. */
const lastFeed = (bytes: Buffer, end: number) => (end === 0 ? -1 : bytes.lastIndexOf(LF, end - 1));

async function readAt(file: OpenFile, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  return bytes.subarray(0, await file.read(bytes, from));
}
