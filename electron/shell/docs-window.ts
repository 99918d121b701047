import { BrowserWindow, screen } from 'electron';
import type { Logger } from '#core/base/logger.ts';
import { bringUp } from './bring-up.ts';
import { fitting } from './fitting.ts';
import { APP_ORIGIN } from './page/origin.ts';

/** Opens the documentation that comes with the app, in a window of its own, or brings that up. It needs no internet. */
export function openDocs(log: Pick<Logger, 'error'>): void {
  const url = `${APP_ORIGIN}/docs/index.html`;
  const open = BrowserWindow.getAllWindows().find(({ webContents }) =>
    webContents.getURL().startsWith(`${APP_ORIGIN}/docs/`),
  );
  if (open) return bringUp(open);
  const window = new BrowserWindow({
    title: 'Fieldbench – Documentation',
    ...fitting({ width: 960, height: 800 }, screen.getPrimaryDisplay().workArea),
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
  });
  window.loadURL(url).catch((error: unknown) => log.error('The documentation could not be opened', error));
}
