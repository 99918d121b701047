import { hashOf, type Head } from './chain.ts';
import { readLink } from './read-line.ts';
import { linesFromEnd, splitLines } from './trail-lines.ts';

/* Where lines that the metadata know stand in the files of an audit trail. */

/** A place in one of the files: which of them, and behind how many of its bytes. */
export interface FilePlace {
  readonly file: number;
  readonly bytes: number;
}

/** The files in order; `bytes` rejects with Node's errors. */
interface InFiles {
  readonly count: number;
  readonly bytes: (file: number) => Promise<Buffer>;
}

/** Finds where the line of a head ends; null where it is not. */
export async function findLine(files: InFiles, { n, hash }: Head): Promise<FilePlace | null> {
  if (n === 0) return { file: 0, bytes: 0 };
  for (let file = files.count - 1; file >= 0; file--) {
    const bytes = await files.bytes(file);
    for (const { from, to } of linesFromEnd(bytes)) {
      const line = bytes.subarray(from, to);
      if (hashOf(line) === hash) return { file, bytes: to + 1 };
      // Lines before one of an earlier number are earlier still.
      const link = readLink(line.toString());
      if (link && link.n < n) return null;
    }
  }
  return null;
}

/**
 * Follows the journal's lines from a place: how many of them are there, and where the last one ends. Null where other entries are
 * behind it, which no crash leaves: they stay as they are.
 */
export async function followLines(
  files: InFiles,
  { file, bytes }: FilePlace,
  known: readonly string[],
): Promise<{ readonly place: number; readonly bytes: number } | null> {
  const hashes = known.map((line) => hashOf(line));
  let place = 0;
  let at = bytes;
  for (let i = file; ; i++) {
    const all = await files.bytes(i);
    for (let feed = all.indexOf('\n', at); feed !== -1; feed = all.indexOf('\n', at)) {
      if (hashOf(all.subarray(at, feed)) !== hashes[place]) break;
      place++;
      at = feed + 1;
    }
    if (i === files.count - 1) return isLeftByCrash(all.subarray(at), hashes) ? { place, bytes: at } : null;
    if (at < all.length) return null;
    at = 0;
  }
}

/** Whether bytes hold no entry but some of these: parts of them arrived, or nothing did. */
const isLeftByCrash = (bytes: Buffer, hashes: readonly string[]) =>
  splitLines(bytes).every(({ text }) => readLink(text) === null || hashes.includes(hashOf(text)));
