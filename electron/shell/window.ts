import { join } from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme } from 'electron';
import type { Logger } from '#core/logger.ts';
import { connectPage, type WindowService } from './ipc.ts';
import { APP_ORIGIN } from './origin.ts';

/** The canvas of renderer/theme.ts, so that nothing flashes before the page has drawn. */
const backgroundColor = () => (nativeTheme.shouldUseDarkColors ? '#17191c' : '#f5f7f8');

/** Brings the app's window to the front, or opens it; resolves once its page is there. */
export async function showWindow(service: WindowService, log: Logger): Promise<void> {
  const [window] = BrowserWindow.getAllWindows();
  if (!window) return openWindow(service, log);
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** What its page may do is guard.ts's. */
async function openWindow(service: WindowService, log: Logger): Promise<void> {
  const window = new BrowserWindow({
    // With a name, Electron remembers where the window was.
    name: 'main',
    windowStatePersistence: true,
    title: 'Fieldbench',
    width: 1280,
    height: 800,
    minWidth: 720,
    minHeight: 480,
    show: false,
    backgroundColor: backgroundColor(),
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      // Charts go on drawing what arrives while another window is in front.
      backgroundThrottling: false,
    },
  });
  const followTheme = () => window.setBackgroundColor(backgroundColor());
  nativeTheme.on('updated', followTheme);
  window.once('closed', () => nativeTheme.off('updated', followTheme));
  window.once('ready-to-show', () => window.show());
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    log.error(`The window's page ended: ${reason}`);
    void offerReload(window);
  });
  connectPage(window.webContents, service, log);
  try {
    await window.loadURL(`${APP_ORIGIN}/`);
  } catch (error) {
    // Who closes the window before its page has come wants no window.
    if (!window.isDestroyed()) throw error;
  }
}

/** A page that crashed took nothing with it: the service lives in this process. */
async function offerReload(window: BrowserWindow): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window stopped working.',
    detail: 'The service goes on, and everything it has accepted is stored.',
    buttons: ['Open it again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) window.webContents.reload();
  else app.quit();
}
