import type { PostedMessage } from '#shared/bridge/wire.ts';

/** Files that a page sends to a service, gets of one or has saved: imports and exports, which end with the page. */
export class FilesUnderWay {
  /** By the service and the number of the request, or by the number of the file that it goes into (shared/bridge/wire.ts). */
  readonly #files = new Set<string>();

  get count(): number {
    return this.#files.size;
  }

  /** Heeds what the page says, whatever that is. */
  said(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('type' in message) || !('n' in message)) return;
    const key = keyOf(message.n, 'at' in message ? message.at : undefined);
    if (message.type === 'upload' || message.type === 'download') this.#files.add(key);
    else if (message.type === 'cancel') this.#files.delete(key);
  }

  /** Heeds what the page is told. */
  heard(message: PostedMessage): void {
    if (message.type === 'reply') this.#files.delete(keyOf(message.n, message.at));
    else if (message.type === 'file') this.#files.add(keyOfFile(message.file));
    else if (message.type === 'file-over') this.#files.delete(keyOfFile(message.file));
  }
}

const keyOfFile = (file: number) => JSON.stringify([file]);

const keyOf = (n: unknown, at: unknown) => JSON.stringify([at, n]);
