import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { BrowserWindow, type WebContents } from 'electron';
import type { OpenedFile } from '#shared/bridge/bridge.ts';
import { bringUp } from '../bring-up.ts';
import { FILES_CHANNEL } from './channel.ts';

/** Where pages ask for an opened file, before its number. */
const OPENED_PATH = 'opened/';

/** Files that the system gave the app to open. Pages get these and no others, by a number: they name no path. */
export class OpenedFiles {
  readonly #paths: string[] = [];
  /** Files not yet sent to a page. */
  #waiting: OpenedFile[] = [];
  /** Pages that hear of files, the newest last, and whether they take any. */
  readonly #pages = new Map<WebContents, boolean>();
  #used: WebContents | null = null;

  /**
   * Offers files to the page that was used last, else to another one that takes any, whose window is brought up, else to the
   * next one that does. Where pages are there and none takes any, one of them says so. A file that cannot be looked at is offered, too: whoever reads it hears why not.
   */
  add(paths: readonly string[]): void {
    for (const path of paths) {
      const url = `./${OPENED_PATH}${this.#paths.push(path) - 1}`;
      this.#waiting.push({ url, name: basename(path), modified: modifiedAt(path) });
    }
    const page = this.#taker() ?? [...this.#pages.keys()].at(-1);
    if (!page) return;
    this.#tell(page);
    const window = page === this.#used ? null : BrowserWindow.fromWebContents(page);
    if (window) bringUp(window);
  }

  /** The window of this page is the one that is used from now on: no other comes up when the app is asked for. */
  use(contents: WebContents): void {
    this.#used = contents;
  }

  /** Sends files to a page from now on. */
  take(contents: WebContents, takes: boolean): void {
    if (!this.#pages.has(contents)) contents.once('destroyed', () => this.#pages.delete(contents));
    this.#pages.set(contents, takes);
    const page = takes ? contents : (this.#taker() ?? contents);
    this.#tell(page);
  }

  /** The file behind the path of a page's request; null where it is none. */
  pathOf(path: string): string | null {
    const [, number] = /^opened\/(\d+)$/.exec(path) ?? [];
    return this.#paths[Number(number ?? -1)] ?? null;
  }

  /** The page that takes files and was used last, else the newest. */
  #taker(): WebContents | undefined {
    const takers = [...this.#pages].flatMap(([page, takes]) => (takes ? [page] : []));
    return takers.find((page) => page === this.#used) ?? takers.at(-1);
  }

  #tell(contents: WebContents): void {
    if (this.#waiting.length === 0 || contents.isDestroyed()) return;
    contents.send(FILES_CHANNEL, this.#waiting);
    this.#waiting = [];
  }
}

/** ms since 1970; 0 where that cannot be found out. */
function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
