import { BrowserWindow, screen } from 'electron';
import type { Logger } from '#core/base/logger.ts';
import { bringUp } from '../bring-up.ts';
import { fitting } from '../fitting.ts';
import { APP_ORIGIN } from '../page/origin.ts';
import { LICENCES_FILE } from './licences-file.ts';

type Log = Pick<Logger, 'error'>;

/** Opens the documentation that comes with the app, in a window of its own, or brings that up. It needs no internet. */
export const openDocs = (log: Log): void => openShipped('docs/index.html', 'Documentation', log);

/** Opens the licences of all that ships with the app in the same way. */
export const openLicences = (log: Log): void => openShipped(LICENCES_FILE, 'Licences', log);

/** `path`: of a page beside the app's own. */
function openShipped(path: string, title: string, log: Log): void {
  const url = `${APP_ORIGIN}/${path}`;
  // A place in it may have been gone to.
  const open = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().startsWith(url));
  if (open) return bringUp(open);
  const window = new BrowserWindow({
    title: `Fieldbench – ${title}`,
    ...fitting({ width: 960, height: 800 }, screen.getPrimaryDisplay().workArea),
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
  });
  window.loadURL(url).catch((error: unknown) => log.error(`${title} could not be opened`, error));
}
