import { finished, Readable } from 'node:stream';
import { z } from 'zod';
import type { PostedMessage, WindowFileMessage } from '#shared/bridge/wire.ts';
import { Arrivals } from '#shared/values/credit.ts';
import type { OfferedFile, OfferedFiles } from './offered-files.ts';
import type { Session } from './session.ts';

/** Files of a window at once; what goes into one more comes to the page. */
const MOST_FILES = 64;

const file = z.int().positive();
const request = { n: z.int().positive(), at: z.string().optional() };
/** Messages of a window that are about its files. */
const aboutFiles = z.discriminatedUnion('type', [
  z.object({ type: z.literal('download'), ...request, into: file }),
  z.object({ type: z.literal('cancel'), ...request }),
  z.object({ type: z.literal('end-file'), file }),
  z.object({ type: z.literal('drop-file'), file }),
]);

export interface SavingWindowOptions {
  /** Opens the window's session. */
  readonly open: (post: (message: PostedMessage) => void) => Session;
  readonly post: (message: PostedMessage) => void;
  readonly offered: OfferedFiles;
}

/**
 * A window whose downloads may go into files that its browser fetches and saves. Their bytes pass the page by, and wait under the
 * same credit as those for a page: however large a file is, and however slow its disk, few pieces are held.
 */
export function openSavingWindow({ open, post, offered }: SavingWindowOptions): Session {
  const files = new Map<number, FileToSave>();
  /** Files by the requests whose bytes go into them. */
  const targets = new Map<string, FileToSave>();

  const session = open((message) => {
    const target = 'n' in message ? targets.get(keyOf(message)) : undefined;
    if (target && message.type === 'bytes') {
      const { n, at } = message;
      return target.add({
        bytes: message.bytes,
        taken: () => session.receive({ type: 'more', n, ...(at !== undefined && { at }) }),
      });
    }
    if (message.type === 'reply') targets.delete(keyOf(message));
    post(message);
  });

  function fileOf(number: number): FileToSave | null {
    const known = files.get(number);
    if (known || files.size >= MOST_FILES) return known ?? null;
    const made = new FileToSave(number, offered, (message) => {
      if (message.type === 'file-over') forget(number);
      post(message);
    });
    files.set(number, made);
    return made;
  }

  function forget(number: number): void {
    for (const [key, target] of targets) if (target === files.get(number)) targets.delete(key);
    files.delete(number);
  }

  return {
    arrives: (bytes) => session.arrives?.(bytes),
    receive(message, bytes) {
      const { data: said } = aboutFiles.safeParse(message);
      if (said?.type === 'end-file') return files.get(said.file)?.end();
      if (said?.type === 'drop-file') return files.get(said.file)?.drop();
      if (said?.type === 'cancel') targets.delete(keyOf(said));
      if (said?.type === 'download') {
        const target = fileOf(said.into);
        if (target) targets.set(keyOf(said), target);
      }
      session.receive(message, bytes);
    },
    close() {
      session.close();
      for (const each of files.values()) each.drop();
    },
  };
}

const keyOf = ({ n, at }: { readonly n: number; readonly at?: string | undefined }) =>
  JSON.stringify([at, n]);

/** A piece of a file. */
interface Piece {
  readonly bytes: Uint8Array;
  /** Called once its reader has finished with it. */
  readonly taken: () => void;
}

/** One file: what comes into it, and the stream that a browser fetches. */
class FileToSave {
  readonly #number: number;
  readonly #offered: OfferedFiles;
  readonly #tell: (message: WindowFileMessage) => void;
  readonly #stop = new AbortController();
  readonly #pieces = new Arrivals<Piece>(() => {}, this.#stop.signal);
  readonly #stream = Readable.from(this.#read(), { objectMode: false });
  #offer: OfferedFile | null = null;
  #bytes = 0;
  #isOver = false;

  constructor(number: number, offered: OfferedFiles, tell: (message: WindowFileMessage) => void) {
    this.#number = number;
    this.#offered = offered;
    this.#tell = tell;
    finished(this.#stream, (error) => this.#over(error ? 'left' : 'whole'));
  }

  add(piece: Piece): void {
    if (this.#isOver) return;
    this.#bytes += piece.bytes.length;
    this.#pieces.push(piece);
    this.#offer ??= this.#offered.offer(this.#stream, () => {
      this.#over('not-fetched');
      this.drop();
    });
    this.#tell({ type: 'file', file: this.#number, path: this.#offer.path, bytes: this.#bytes });
  }

  end(): void {
    this.#pieces.end();
  }

  drop(): void {
    const reason = new Error('The file was given up before it was whole.');
    this.#offer?.withdraw();
    this.#stop.abort(reason);
    this.#stream.destroy(reason);
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    for await (const { bytes, taken } of this.#pieces.read()) {
      yield bytes;
      taken();
    }
  }

  #over(how: Extract<WindowFileMessage, { type: 'file-over' }>['how']): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#tell({ type: 'file-over', file: this.#number, how });
  }
}
