import { once } from 'node:events';
import { extract, pack } from 'tar-stream';

/** A member of a tar file that is being written. */
export interface TarMember {
  readonly name: string;
  readonly bytes: number;
  /** Yields exactly so many bytes. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

/** A member of one that is read; its bytes are read, or skipped, before the next one comes. */
export interface FoundMember {
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Reads the bytes of a member, and makes nothing of them. Rejects as they do. */
export async function skip({ content }: Pick<FoundMember, 'content'>): Promise<void> {
  for await (const piece of content) void piece;
}

/** Writes a tar file, piece by piece; rejects as its members do. Whoever stops reading ends them. */
export async function* writeTar(members: Iterable<TarMember>, modified: Date): AsyncGenerator<Uint8Array> {
  const file = pack();
  // Seconds of 32 bits are all that the header has room for.
  const mtime = new Date(Math.min(modified.getTime(), 0x7fff_ffff * 1000));
  const write = async () => {
    for (const { name, bytes, content } of members) {
      const written = Promise.withResolvers<void>();
      const entry = file.entry({ name, size: bytes, mtime, mode: 0o600 }, (error) =>
        error ? written.reject(error) : written.resolve(),
      );
      // Where its content fails nobody waits for the member any more.
      written.promise.catch(() => {});
      for await (const piece of content()) if (!entry.write(Buffer.from(piece))) await moreWanted(entry);
      entry.end(null);
      await written.promise;
    }
    file.finalize();
  };
  const writing = write().catch((error: unknown) => file.destroy(error as Error));
  try {
    for await (const piece of file) yield piece as Uint8Array;
  } finally {
    file.destroy();
    await writing;
  }
}

/** Bytes that are no tar file, or one that was cut off. */
export class BrokenTar extends Error {
  override readonly name = 'BrokenTar';
}

/**
 * Reads a tar file, member by member. Rejects with BrokenTar, or as `bytes` does. A member that was not read to its end when
 * the next is asked for holds up everything.
 */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FoundMember> {
  const file = extract();
  let failure: { readonly error: unknown } | null = null;
  const feed = async () => {
    for await (const piece of bytes) {
      // The reader of the members has stopped: the rest of the bytes is for others.
      if (file.destroying) return;
      if (!file.write(Buffer.from(piece))) await moreWanted(file);
    }
    file.end(null);
  };
  const feeding = feed().catch((error: unknown) => {
    failure = { error };
    file.destroy(error as Error);
  });
  /** Passes on what comes; what ends it early is the sender's doing, or the file's. */
  async function* told<T>(parts: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* parts;
    } catch (error) {
      if (failure !== null) throw failure.error;
      throw new BrokenTar((error as Error).message, { cause: error });
    }
  }
  try {
    for await (const entry of told(file)) {
      const { name, size, type } = entry.header;
      if (type !== 'file')
        throw new BrokenTar(`"${name}" is no file, but a ${type ?? 'thing without a type'}`);
      yield { name, bytes: size, content: told(entry as AsyncIterable<Uint8Array>) };
    }
  } finally {
    file.destroy();
    // The sender of the bytes goes on once this reader has let go.
    await feeding;
  }
}

/** Resolves when more may be written; rejects when nobody reads any more. */
async function moreWanted(stream: NodeJS.EventEmitter & { readonly destroying: boolean }): Promise<void> {
  if (stream.destroying) throw new Error('Nobody reads the file any more.');
  const over = new AbortController();
  try {
    await Promise.race([
      once(stream, 'drain', { signal: over.signal }),
      once(stream, 'close', { signal: over.signal }).then(() => {
        throw new Error('Nobody reads the file any more.');
      }),
    ]);
  } finally {
    over.abort();
  }
}
