import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { BrowserWindow, type WebContents } from 'electron';
import type { OpenedFile } from '#shared/bridge.ts';
import { FILES_CHANNEL } from './channel.ts';

/** Where pages ask for an opened file, before its number. */
const OPENED_PATH = 'opened/';

/** Files that the system gave the app to open. Pages get these and no others, by a number: they name no path. */
export class OpenedFiles {
  readonly #paths: string[] = [];
  /** Those that no page has heard of yet. */
  #waiting: OpenedFile[] = [];
  /** Pages that take files, the newest last. */
  readonly #pages = new Set<WebContents>();

  /** Offers files to the page of the window in front, or to the next one that takes any. Throws Node's errors. */
  add(paths: readonly string[]): void {
    for (const path of paths) {
      const { mtimeMs } = statSync(path);
      const url = `./${OPENED_PATH}${this.#paths.push(path) - 1}`;
      this.#waiting.push({ url, name: basename(path), modified: mtimeMs });
    }
    const front = BrowserWindow.getFocusedWindow()?.webContents;
    const page = front && this.#pages.has(front) ? front : [...this.#pages].at(-1);
    if (page) this.#tell(page);
  }

  /** A page takes them from now on. */
  take(contents: WebContents): void {
    if (!this.#pages.has(contents)) contents.once('destroyed', () => this.#pages.delete(contents));
    this.#pages.add(contents);
    this.#tell(contents);
  }

  /** The file behind the path of a page's request; null where it is none. */
  pathOf(path: string): string | null {
    const [, number] = /^opened\/(\d+)$/.exec(path) ?? [];
    return this.#paths[Number(number ?? -1)] ?? null;
  }

  #tell(contents: WebContents): void {
    if (this.#waiting.length === 0 || contents.isDestroyed()) return;
    contents.send(FILES_CHANNEL, this.#waiting);
    this.#waiting = [];
  }
}
