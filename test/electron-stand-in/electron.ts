/*
 * A stand-in for the electron module: the built main process and preload run on it unmodified, under plain Node, with
 * Debian's Chromium for windows. It has what this app uses and is as strict as Electron, or stricter; anything else is
 * missing, so that an import of it fails at once. Electron's own behaviour is cited where it is imitated.
 */
import { App } from './app.ts';
import { createBrowserWindowClass } from './browser-window.ts';
import { IpcMain } from './ipc-main.ts';
import { Protocol } from './protocol.ts';
import { Session } from './session.ts';

export { dialog, Menu, nativeTheme, shell } from './desktop.ts';

const [, entry = ''] = process.argv;
export const app = new App(entry);
export const ipcMain = new IpcMain();
export const protocol = new Protocol(() => app.isReady());
export const session = { defaultSession: new Session() };
export const BrowserWindow = createBrowserWindowClass({
  app,
  protocol,
  ipcMain,
  session: session.defaultSession,
});
