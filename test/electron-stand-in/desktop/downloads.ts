import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import type { Session as CdpSession } from '../chromium.ts';
import { createEvent } from '../event.ts';
import { isOn } from '../switches.ts';

/**
 * electron.DownloadItem, as far as its end goes. Whoever debugs Chromium has decided where it goes; a person has then not
 * been asked, and Electron knows no path (electron/shell/browser/api/electron_api_download_item.cc, GetSavePath).
 */
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

  /** The name that was suggested, whatever the file is called. */
  getFilename(): string {
    return this.#name;
  }

  /** Empty where no person chose one. */
  getSavePath(): string {
    return this.#isSaved && isOn('other-name') ? '/elsewhere/another name.csv' : '';
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

/**
 * Tells the app of what a page, known by its main frame, gives to be saved. Where nobody who debugs Chromium has decided where
 * it goes, Electron opens a dialog, in which a person is waited for: here that is said, and nothing ends.
 */
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
  browser.on('Browser.downloadProgress', ({ guid, state, filePath }) => {
    if (state === 'inProgress') return;
    const item = items.get(guid);
    items.delete(guid);
    // A debugger's files have no names (Browser.setDownloadBehavior, allowAndName).
    if (state === 'completed' && basename(filePath ?? '') !== guid)
      process.stderr.write(`a person is asked where to save ${item?.getFilename()}\n`);
    else if (isOn('full-disk')) item?.interrupt();
    else item?.end(state);
  });
  await browser.send('Browser.setDownloadBehavior', { behavior: 'default', eventsEnabled: true });
}
