/*
 * A stand-in for the electron module: the built main process and preload run on it unmodified, under plain Node, with
 * Debian's Chromium for windows. It has what this app uses; anything else is missing, so that an import of it fails at
 * once. Electron's own behaviour is cited where it is imitated; README.md says where it is stricter, what a spec can
 * switch to the bad case, and what only Electron itself can prove.
 */
import { App } from './app.ts';
import { createBrowserWindowClass } from './browser-window.ts';
import { createNet, createScreen } from './desktop/desktop.ts';
import { createDialog } from './desktop/dialog.ts';
import { IpcMain } from './ipc-main.ts';
import { Protocol } from './protocol.ts';
import { Session } from './session.ts';
import { createUtilityProcess } from './utility-process.ts';

export { clipboard, crashReporter, powerMonitor, powerSaveBlocker, shell } from './desktop/desktop.ts';
export { Menu } from './desktop/menu.ts';
export { nativeTheme } from './desktop/native-theme.ts';
export { Tray } from './desktop/tray.ts';

const entry = process.env['FIELDBENCH_STAND_IN_MAIN'] ?? '';
export const app = new App(entry);
export const dialog = createDialog(() => app.isReady());
export const net = createNet(() => app.isReady());
export const screen = createScreen(() => app.isReady());
export const utilityProcess = createUtilityProcess(() => app.isReady());
export const ipcMain = new IpcMain();
export const protocol = new Protocol(() => app.isReady());
export const session = { defaultSession: new Session() };
export const BrowserWindow = createBrowserWindowClass({
  app,
  protocol,
  ipcMain,
  session: session.defaultSession,
});
