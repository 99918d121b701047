import { basename } from 'node:path';
import type { Event, DownloadItem, WebContents } from 'electron';
import type { SavedFile } from '#shared/bridge/bridge.ts';
import { SAVED_CHANNEL } from './channel.ts';

type DoneState = 'completed' | 'cancelled' | 'interrupted';

/**
 * Reports to a page the outcome of each file that it gave to be saved: Electron asks where to, and the person may choose
 * another name, or none. Where there is no room, or no right to write, Chromium holds the file to be resumed by the person:
 * Electron then tells of an update, and of no end (electron/docs/api/download-item.md). Nobody could resume it here, so that
 * is its end.
 */
export function tellOfDownloads(session: {
  on(
    event: 'will-download',
    listener: (event: Event, item: DownloadItem, contents: WebContents) => void,
  ): unknown;
}): void {
  session.on('will-download', (_event, item, contents) => {
    let isTold = false;
    let isDone = false;
    const end = (state: DoneState) => {
      if (isTold) return;
      isTold = true;
      // Without a path nobody chose one: a program that debugs this one took the file, under the name that was suggested.
      const name = basename(item.getSavePath()) || item.getFilename();
      const saved: SavedFile = { url: item.getURL(), state, name };
      if (!contents.isDestroyed()) contents.send(SAVED_CHANNEL, saved);
    };
    item.on('updated', (_updated, state) => {
      if (state !== 'interrupted') return;
      end(state);
      // Takes away what was written of it; not while Chromium tells everybody of the update.
      setImmediate(() => {
        if (!isDone) item.cancel();
      });
    });
    item.once('done', (_done, state: DoneState) => {
      isDone = true;
      end(state);
    });
  });
}
