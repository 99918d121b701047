import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Session as CdpSession } from '../chromium.ts';
import { createEvent } from '../event.ts';
import { isOn } from '../switches.ts';

/** electron.DownloadItem, as far as its end goes. The person saves it under the name that was suggested, or another one. */
class DownloadItem extends EventEmitter {
  readonly #url: string;
  readonly #name: string;
  #isSaved = false;

  constructor(url: string, name: string) {
    super();
    this.#url = url;
    this.#name = name;
  }

  getURL(): string {
    return this.#url;
  }

  /** Empty where nobody chose one. */
  getSavePath(): string {
    if (!this.#isSaved) return '';
    return isOn('other-name') ? '/elsewhere/another name.csv' : join('/downloads', this.#name);
  }

  cancel(): void {
    this.end('canceled');
  }

  /**
   * A disk that is full, or may not be written: Chromium has the person resume it, and Electron tells of an update alone
   * (electron/shell/browser/api/electron_api_download_item.cc, OnDownloadUpdated).
   */
  interrupt(): void {
    this.emit('updated', createEvent({}), 'interrupted');
  }

  end(state: 'completed' | 'canceled'): void {
    this.#isSaved = state === 'completed';
    this.emit('done', createEvent({}), this.#isSaved ? 'completed' : 'cancelled');
  }
}

/** Tells the app of what a page, known by its main frame, gives to be saved. Whoever is attached decides where it goes. */
export async function followDownloads(
  browser: CdpSession,
  isOwn: (frameId: string) => boolean,
  begin: (item: DownloadItem) => void,
): Promise<void> {
  const items = new Map<string, DownloadItem>();
  browser.on('Browser.downloadWillBegin', ({ guid, frameId, url, suggestedFilename }) => {
    if (!isOwn(frameId)) return;
    const item = new DownloadItem(url, suggestedFilename);
    items.set(guid, item);
    begin(item);
  });
  browser.on('Browser.downloadProgress', ({ guid, state }) => {
    if (state === 'inProgress') return;
    const item = items.get(guid);
    if (isOn('full-disk')) item?.interrupt();
    else item?.end(state);
    items.delete(guid);
  });
  await browser.send('Browser.setDownloadBehavior', { behavior: 'default', eventsEnabled: true });
}
