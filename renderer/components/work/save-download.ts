import type { Bridge, DesktopPort, WindowPort } from '#shared/bridge/bridge.ts';
import type { WindowFileMessage } from '#shared/bridge/wire.ts';
import type { DownloadId, InputOf, OutputOf } from '#shared/operations/index.ts';
import { dataOf, Refused } from '../../bridge/ask.ts';
import { bridge, port } from '../../bridge/bridge.ts';
import { isBackWithin, isOffline } from '../../bridge/connection.ts';
import { openWindowFile } from '../../bridge/window-file.ts';
import { fetchAs, savedAs, saveFile } from './save-file.ts';

export interface Download<Id extends DownloadId> {
  readonly id: Id;
  readonly input: InputOf<Id>;
  /** A name that every file system takes (shared/values/file-name.ts). */
  readonly name: string;
  /** What follows so many bytes, where it can be asked for; `isRest`: whether that came, and not all of it anew. */
  readonly rest?: {
    readonly input: (from: number) => InputOf<Id>;
    readonly isRest: (data: OutputOf<Id>) => boolean;
  };
  /** Called with the bytes that came. */
  readonly progress?: (bytes: number) => void;
}

export interface SavedDownload<Id extends DownloadId> {
  readonly data: OutputOf<Id>;
  /** The name it got. */
  readonly name: string;
  readonly bytes: number;
}

/** The page that saves. */
export interface SavingPage {
  readonly bridge: Pick<Bridge, 'download'>;
  readonly port: WindowPort;
  readonly desktop: Pick<DesktopPort, 'listenSaved'> | undefined;
  readonly fetchAs: typeof fetchAs;
  readonly saveFile: typeof saveFile;
  /** Its address. */
  readonly href: string;
  /** Resolves with whether a connection was lost and is there again. */
  readonly isBack: (signal: AbortSignal) => Promise<boolean>;
}

/** How long a connection may be away before a file that came over it is given up, in ms. */
const AWAY_MS = 60_000;

const thisPage = (): SavingPage => ({
  bridge,
  port,
  desktop: window.fieldbench,
  fetchAs,
  saveFile,
  href: window.location.href,
  isBack: async (signal) => isOffline() && isBackWithin(AWAY_MS, signal),
});

/** The person did not want the file after all. */
const UNWANTED = new Error('The file is not wanted.');

/**
 * Saves what an operation gives while it comes: the browser fetches it where the service has it wait, so that neither page nor
 * service holds more than a few pieces. Where no browser can fetch it, as of one service of several, the page gathers it. Resolves
 * with null where the person did not want it after all; rejects where it could not be had or written: nothing of it stays then.
 */
export async function saveDownload<Id extends DownloadId>(
  { id, input, name, rest, progress }: Download<Id>,
  signal: AbortSignal,
  page: SavingPage = thisPage(),
): Promise<SavedDownload<Id> | null> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const gathered = new Gathered();
  const over = Promise.withResolvers<How>();
  const now: { bytes: number; saving: Promise<string | null> | null } = { bytes: 0, saving: null };
  const came = (bytes: number) => {
    now.bytes = bytes;
    progress?.(bytes);
  };
  const file = openWindowFile(page.port, (message) => {
    if (message.type === 'file-over') return over.resolve(message.how);
    came(message.bytes);
    if (now.saving !== null) return;
    const url = new URL(message.path, page.href).href;
    now.saving = savedFrom(url, name, over.promise, page);
    now.saving.then(
      (as) => as === null && stop.abort(UNWANTED),
      (error: unknown) => stop.abort(error),
    );
    page.fetchAs(name, url);
  });
  /** Whether what is still to come can follow what came: the other end of the file must be where it was. */
  const mayFollow = () => rest !== undefined && (page.desktop !== undefined || now.saving === null);

  async function fill(): Promise<OutputOf<Id>> {
    for (;;) {
      const from = now.bytes;
      try {
        const take = (piece: Uint8Array) => {
          gathered.add(piece);
          came(now.bytes + piece.length);
        };
        const asked = from > 0 && rest ? rest.input(from) : input;
        const options = { signal: either, into: file.number };
        const data = dataOf<OutputOf<Id>>(await page.bridge.download(id, asked, take, options));
        if (from === 0 || rest?.isRest(data)) return data;
        throw new Error(
          'What came before the connection was lost is of records that are others by now. Try again.',
        );
      } catch (error) {
        if (either.aborted || error instanceof Refused || !mayFollow()) throw error;
        if (!(await page.isBack(either))) throw error;
      }
    }
  }

  // Whoever fetches it is told.
  const drop = () => file.drop();
  signal.addEventListener('abort', drop);
  try {
    const data = await fill();
    if (now.saving === null) {
      const saved = await page.saveFile(name, gathered.whole());
      return saved === null ? null : { data, name: saved, bytes: now.bytes };
    }
    file.end();
    const saved = await now.saving;
    return saved === null ? null : { data, name: saved, bytes: now.bytes };
  } catch (error) {
    if (error === UNWANTED) return null;
    throw error;
  } finally {
    signal.removeEventListener('abort', drop);
    file.close();
  }
}

type How = Extract<WindowFileMessage, { type: 'file-over' }>['how'];

/** Resolves with the name of the file that the browser fetches from there; as `savedAs`. */
async function savedFrom(
  url: string,
  name: string,
  over: Promise<How>,
  { desktop }: SavingPage,
): Promise<string | null> {
  const fetched = over.then((how) => {
    if (how === 'not-fetched')
      throw new Error(
        'The file was not fetched. May this page save several files, by the browser’s settings?',
      );
    return how;
  });
  // The desktop app knows what became of it, and says so.
  if (desktop) return Promise.race([savedAs(desktop, url), fetched.then(() => new Promise<never>(() => {}))]);
  if ((await fetched) === 'whole') return name;
  throw new Error(
    'The browser did not take all of the file: it was cancelled there, or could not be written.',
  );
}

/** Bytes that are gathered at once. */
const GATHERED_BYTES = 16 * 1024 * 1024;

/** Pieces of a file as a Blob of Blobs: a browser puts those onto its disk when they get many. */
class Gathered {
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  readonly #blobs: Blob[] = [];

  add(piece: Uint8Array): void {
    this.#pieces.push(new Uint8Array(piece));
    this.#bytes += piece.length;
    if (this.#bytes >= GATHERED_BYTES) this.#fold();
  }

  whole(): Blob {
    this.#fold();
    return new Blob(this.#blobs);
  }

  #fold(): void {
    this.#blobs.push(new Blob(this.#pieces));
    this.#pieces = [];
    this.#bytes = 0;
  }
}
