import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';

/** Bytes of a zip, wherever they lie. */
export interface ZipBytes {
  readonly size: number;
  /** Fills `into` from a position; resolves with how many bytes there were. */
  read(into: Uint8Array, position: number): Promise<number>;
}

export interface ZipEntry {
  readonly name: string;
  /** As the zip says it, which may be wrong. */
  readonly bytes: number;
  /** Its bytes, unpacked. Rejects with ZipError where they cannot be. */
  readonly content: () => AsyncGenerator<Uint8Array, void, undefined>;
}

export interface OpenZip {
  /** In the order in which the zip lists them. */
  readonly entries: readonly ZipEntry[];
  readonly comment: string;
}

/** Why a zip, or something in it, cannot be read: a clause without a full stop. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
}

/** Things in a zip; a package of the most devices has a tenth of that. */
const MOST_ENTRIES = 10_000;
/** Bytes that are read at once. */
const PIECE_BYTES = 1 << 18;

/** Reads the list of a zip; of its contents nothing. Rejects with ZipError. */
export async function openZip(bytes: ZipBytes): Promise<OpenZip> {
  const zip = await opened(bytes);
  if (zip.entryCount > MOST_ENTRIES)
    throw new ZipError(`it says that it has ${zip.entryCount} files, and no package has so many`);
  const listed = await entriesOf(zip);
  const { comment } = zip as { comment: string | Buffer };
  return {
    entries: listed.map((entry) => ({
      name: nameOf(entry),
      bytes: entry.uncompressedSize,
      content: () => contentOf(zip, entry),
    })),
    comment: typeof comment === 'string' ? comment : comment.toString('latin1'),
  };
}

/** Names are of bytes here, so that no name keeps others from being looked at. */
const nameOf = ({ fileName }: { readonly fileName: string | Buffer }): string =>
  typeof fileName === 'string' ? fileName : fileName.toString('utf8');

function opened(bytes: ZipBytes): Promise<ZipFile> {
  const reader = new BytesReader(bytes);
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true };
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(reader, bytes.size, options, (error, zip) => {
      if (error) reject(asZipError(error));
      else resolve(zip);
    });
  });
}

function entriesOf(zip: ZipFile): Promise<readonly Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('error', (error: Error) => reject(asZipError(error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      if (entries.length > MOST_ENTRIES) reject(new ZipError('it has more files than any package'));
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry.isEncrypted()) throw new ZipError('it is encrypted');
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened_) => {
      if (error) reject(asZipError(error));
      else resolve(opened_);
    });
  });
  // Errors after its end, or after its first one, change nothing any more.
  stream.on('error', () => {});
  try {
    for await (const piece of stream as AsyncIterable<Uint8Array>) yield piece;
  } catch (error) {
    throw asZipError(error);
  } finally {
    stream.destroy();
  }
}

/** A library's error about bytes that are no zip, as a ZipError; errors of the system stay as they are. */
function asZipError(error: unknown): unknown {
  if (error instanceof ZipError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined && code !== undefined) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ZipError(message.replace(/\.$/, ''), { cause: error });
}

/** Bytes for the library that reads zips. */
class BytesReader extends RandomAccessReader {
  readonly #bytes: ZipBytes;

  constructor(bytes: ZipBytes) {
    super();
    this.#bytes = bytes;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bytes = this.#bytes;
    async function* pieces() {
      for (let at = start; at < end;) {
        const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at));
        const length = await bytes.read(piece, at);
        if (length === 0) throw new ZipError('it ends before all of it was there');
        yield piece.subarray(0, length);
        at += length;
      }
    }
    return Readable.from(pieces(), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const whole = async () => {
      const read = await this.#bytes.read(buffer.subarray(offset, offset + length), position);
      if (read !== length) throw new ZipError('it ends before all of it was there');
    };
    callbackify(whole)(callback);
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}
