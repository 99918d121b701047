import { existsSync } from 'node:fs';
import type { Clipboard, Dialog, Shell } from 'electron';
import type { Logger } from '#core/base/logger.ts';
import { openFolder } from '../open-folder.ts';
import { showAbout } from './about.ts';
import { openDocs, openLicences } from './docs-window.ts';
import type { Fetch } from './update-feed.ts';
import { checkForUpdates } from './updates.ts';

/** What the Help menu has: each begins what it names, and what fails of that is logged. */
export interface HelpItems {
  readonly openDocs: () => void;
  readonly openLicences: () => void;
  readonly showLog: () => void;
  readonly showDumps: () => void;
  /** Null where no feed is set: then the item is absent. */
  readonly checkForUpdates: (() => void) | null;
  readonly showAbout: () => void;
}

/** Parts of Electron, and where things are. */
export interface HelpOptions {
  readonly logFile: string;
  readonly dumps: string;
  /** The file that names the feed, where it is. */
  readonly feed: string;
  readonly fetch: Fetch;
  readonly shell: Pick<Shell, 'openPath' | 'showItemInFolder'>;
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly clipboard: Pick<Clipboard, 'writeText'>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

export function helpItems(options: HelpOptions): HelpItems {
  const { logFile, dumps, feed, fetch, shell, dialog, clipboard, log } = options;
  const begin = (what: string, work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => log.error(`${what} failed`, error));
  const docs = () => openDocs(log);
  const licences = () => openLicences(log);
  return {
    openDocs: docs,
    openLicences: licences,
    showLog: () => shell.showItemInFolder(logFile),
    showDumps: begin('Showing the crash dumps', () => openFolder(dumps, 'crash dumps', { shell, dialog })),
    checkForUpdates: existsSync(feed)
      ? begin('The check for updates', () => checkForUpdates({ file: feed, fetch, dialog, clipboard, log }))
      : null,
    showAbout: begin('Showing what the app is', () =>
      showAbout({ dialog, openDocs: docs, openLicences: licences }),
    ),
  };
}
