import { setImmediate } from 'node:timers/promises';
import type { Body } from '#core/api/call.ts';
import { badRequest } from '#core/errors.ts';

/** What a file's first rows are judged by; windows send as much for an inspection. */
const HEAD_BYTES = 64 * 1024;

/** Bytes read between two turns of the event loop, so that reading a file holds nobody up for more than some ms. */
const PIECE_BYTES = 16 * 1024;

/** A line may hold texts of megabytes; a file without line breaks must not go into memory whole. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** A file on its way in, of any size: its beginning, and all of it as text. */
export interface Source {
  /** The first rows as text, cut behind the last whole line unless `complete`. */
  readonly sample: string;
  /** Whether the sample is the whole file. */
  readonly complete: boolean;
  /**
   * The whole file, once, without a byte order mark. Throws a 400 Refusal where it is not UTF-8 or a line has no end,
   * and the signal's reason when that fires.
   */
  text(): AsyncGenerator<string>;
  /** Tells the sender that no more is wanted. */
  close(): Promise<void>;
}

/** Reads the beginning of a file. `progress` hears the bytes read so far. */
export async function openSource(
  bytes: Body['bytes'],
  { progress, signal }: { readonly progress: (bytesRead: number) => void; readonly signal: AbortSignal },
): Promise<Source> {
  const chunks = bytes[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let headBytes = 0;
  let ended = false;
  while (headBytes < HEAD_BYTES && !ended) {
    signal.throwIfAborted();
    const next = await chunks.next();
    if (next.done) ended = true;
    else {
      head.push(next.value);
      headBytes += next.value.byteLength;
    }
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield* head.flatMap(cut);
    if (ended) return;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield* cut(next.value);
  }

  async function* text(): AsyncGenerator<string> {
    const decode = utf8Decoder();
    let bytesRead = 0;
    for await (const piece of pieces()) {
      signal.throwIfAborted();
      yield decode(piece, false);
      bytesRead += piece.byteLength;
      progress(bytesRead);
      await setImmediate();
    }
    const rest = decode(new Uint8Array(), true);
    if (rest !== '') yield rest;
    signal.throwIfAborted();
  }

  const complete = ended && headBytes <= HEAD_BYTES;
  const sample = new TextDecoder().decode(Buffer.concat(head).subarray(0, HEAD_BYTES));
  return {
    sample: complete ? sample : wholeLines(sample),
    complete,
    text,
    async close() {
      await chunks.return?.();
    },
  };
}

function cut(chunk: Uint8Array): Uint8Array[] {
  const count = Math.ceil(chunk.byteLength / PIECE_BYTES);
  return Array.from({ length: count }, (_, n) => chunk.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES));
}

/** The text up to its last line break, or all of it where there is none. */
export function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1) || text;
}

/** Decodes pieces of a file; knows the line where one is not UTF-8. */
function utf8Decoder(): (piece: Uint8Array, last: boolean) => string {
  const strict = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let lineLength = 0;

  function decodeStrictly(piece: Uint8Array, last: boolean): string {
    try {
      return strict.decode(piece, { stream: !last });
    } catch {
      const [before = ''] = new TextDecoder().decode(piece).split('\uFFFD', 1);
      const at = line + lineBreaks(before);
      throw badRequest(
        `line ${at}: the file must be UTF-8 text, and here it is not. Save it as UTF-8 (in a spreadsheet: "CSV UTF-8"). Nothing was imported.`,
      );
    }
  }

  return (piece, last) => {
    const text = decodeStrictly(piece, last);
    const lastBreak = text.lastIndexOf('\n');
    line += lineBreaks(text);
    lineLength = lastBreak === -1 ? lineLength + text.length : text.length - lastBreak - 1;
    if (lineLength <= MAX_LINE_CHARACTERS) return text;
    throw badRequest(
      `line ${line}: a line must be at most ${MAX_LINE_CHARACTERS / 1024 / 1024} Mi characters. Nothing was imported.`,
    );
  };
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
