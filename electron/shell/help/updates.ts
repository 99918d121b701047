import type { Clipboard, Dialog } from 'electron';
import { VERSION } from '#core/base/version.ts';
import type { Logger } from '#core/base/logger.ts';
import { askFeed, FeedError, isNewer, type Fetch } from './update-feed.ts';

/** Parts of the question whether there is a newer version. */
export interface UpdateOptions {
  /** The feed's file. */
  readonly file: string;
  readonly fetch: Fetch;
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly clipboard: Pick<Clipboard, 'writeText'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly version?: string;
}

/** Asks the feed once and says what it found. It downloads nothing: who updates is the one who installed. */
export async function checkForUpdates(options: UpdateOptions): Promise<void> {
  const { dialog, clipboard, log, version = VERSION } = options;
  try {
    const found = await askFeed(options.file, options.fetch);
    const isOut = isNewer(found.version, version);
    const { response } = await dialog.showMessageBox({
      type: 'info',
      title: 'Updates',
      message: isOut ? `Fieldbench ${found.version} is out.` : `Fieldbench ${version} is the newest version.`,
      detail: isOut
        ? `This is ${version}. The new one is at\n${found.page}\n\nNothing was downloaded.`
        : `${found.address} says ${found.version}.`,
      buttons: isOut ? ['OK', 'Copy address'] : ['OK'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (isOut && response === 1) await clipboard.writeText(found.page);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    log.warn(`Whether there is a newer version is not known: ${error.message}`);
    await dialog.showMessageBox({
      type: 'warning',
      title: 'Updates',
      message: 'Nobody can say whether there is a newer version.',
      detail: error.message,
      buttons: ['OK'],
    });
  }
}
