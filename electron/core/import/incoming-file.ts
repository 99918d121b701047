import type { Body } from './body.ts';
import type { Encoding } from '#shared/operations/records/records.ts';
import { createDecoder, guessEncoding } from './text/encoding.ts';
import { HEAD_BYTES, takeSample, type Sample } from './text/sample.ts';
import { requireText } from './text/signature.ts';
import { Pace } from '../turns/pace.ts';

/** Bytes read between two turns of the event loop, so that reading a file holds nobody up for more than some ms. */
const PIECE_BYTES = 16 * 1024;
/** The same where bytes are read without making text of them. */
const LARGE_PIECE_BYTES = 64 * 1024;

/** A file on its way in, of any size: its beginning, and all of it as text. */
export interface IncomingFile {
  readonly encoding: Encoding;
  readonly sample: Sample;
  /**
   * The whole file, once, without a byte order mark. Throws a 400 Refusal where it is not in its encoding or a line has
   * no end, and the signal's reason when that fires.
   */
  text(): AsyncGenerator<string>;
  /** The same as bytes, with the byte order mark if there is one, in larger pieces; instead of `text`. */
  bytes(): AsyncGenerator<Uint8Array>;
  /** Tells the sender that no more is wanted. */
  close(): Promise<void>;
}

export interface IncomingFileOptions {
  /** Guessed from the beginning when absent. */
  readonly encoding?: Encoding | undefined;
  /** Hears the bytes read so far. */
  readonly progress: (bytesRead: number) => void;
  readonly signal: AbortSignal;
}

/** Reads the beginning of a file. Throws a 400 Refusal on what is no text, such as a workbook. */
export async function openSource(
  bytes: Body['bytes'],
  { encoding: chosen, progress, signal }: IncomingFileOptions,
): Promise<IncomingFile> {
  const chunks = bytes[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let headBytes = 0;
  let ended = false;

  async function readHead(): Promise<Uint8Array> {
    const wanted = Math.max(HEAD_BYTES, 2 * headBytes);
    while (headBytes <= wanted && !ended) {
      signal.throwIfAborted();
      const next = await chunks.next();
      if (next.done) ended = true;
      else {
        head.push(next.value);
        headBytes += next.value.byteLength;
      }
    }
    return Buffer.concat(head);
  }

  async function* arrived(): AsyncGenerator<Uint8Array> {
    yield* head;
    if (ended) return;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }

  async function* pieces(size: number): AsyncGenerator<Uint8Array> {
    const pace = new Pace();
    let bytesRead = 0;
    for await (const chunk of arrived())
      for (const piece of cut(chunk, size)) {
        signal.throwIfAborted();
        bytesRead += piece.byteLength;
        yield piece;
        progress(bytesRead);
        await pace.pause();
      }
    signal.throwIfAborted();
  }

  async function* text(): AsyncGenerator<string> {
    const decode = createDecoder(encoding);
    for await (const piece of pieces(PIECE_BYTES)) yield decode(piece, false);
    const rest = decode(new Uint8Array(), true);
    if (rest !== '') yield rest;
    signal.throwIfAborted();
  }

  const close = async () => void (await chunks.return?.());
  const beginning = async () => {
    try {
      const first = await readHead();
      requireText(first);
      const guessed = chosen ?? guessEncoding(first);
      let sample = takeSample(first, ended, guessed);
      while (sample === null) sample = takeSample(await readHead(), ended, guessed);
      return { encoding: guessed, sample };
    } catch (error) {
      await close();
      throw error;
    }
  };
  const { encoding, sample } = await beginning();
  return { encoding, sample, text, bytes: () => pieces(LARGE_PIECE_BYTES), close };
}

function cut(chunk: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(chunk.byteLength / size);
  return Array.from({ length: count }, (_, n) => chunk.subarray(n * size, (n + 1) * size));
}
