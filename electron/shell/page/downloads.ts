import { basename } from 'node:path';
import type { Event, DownloadItem, WebContents } from 'electron';
import type { SavedFile } from '#shared/bridge.ts';
import { SAVED_CHANNEL } from './channel.ts';

type DoneState = 'completed' | 'cancelled' | 'interrupted';

/**
 * Tells a page what became of each file that it gave to be saved: Electron asks where to, and the person may choose
 * another name, or none.
 */
export function tellOfDownloads(session: {
  on(
    event: 'will-download',
    listener: (event: Event, item: DownloadItem, contents: WebContents) => void,
  ): unknown;
}): void {
  session.on('will-download', (_event, item, contents) => {
    item.once('done', (_done, state: DoneState) => {
      const saved: SavedFile = { url: item.getURL(), state, name: basename(item.getSavePath()) };
      if (!contents.isDestroyed()) contents.send(SAVED_CHANNEL, saved);
    });
  });
}
