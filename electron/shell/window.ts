import { join } from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme } from 'electron';
import type { Logger } from '#core/logger.ts';
import { connectPage, type WindowService } from './page/ipc.ts';
import { APP_ORIGIN } from './page/origin.ts';
import { helpWithTrouble } from './page/page-trouble.ts';
import { STARTING_PATH } from './page/starting-page.ts';

/** The canvas of renderer/theme.ts, so that nothing flashes before the page has drawn. */
const backgroundColor = () => (nativeTheme.shouldUseDarkColors ? '#17191c' : '#f5f7f8');

export interface WindowOptions {
  /** Until it is there, the window says that it starts. */
  readonly starting: Promise<WindowService>;
  /** A PNG. */
  readonly icon: string;
  readonly log: Logger;
}

/**
 * Returns what brings the app's window to the front, or opens it: that resolves once its page is there, or the window
 * was closed before, and rejects where the service does not start.
 */
export function createShow(options: WindowOptions): () => Promise<void> {
  return async () => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window) return openWindow(options);
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
}

/** Windows at once. */
const MOST_WINDOWS = 16;

/** Opens a window at an address of the app. What its page may do is guard.ts's. */
async function openWindow(options: WindowOptions, address = ''): Promise<void> {
  const { starting, icon, log } = options;
  const isFirst = BrowserWindow.getAllWindows().length === 0;
  const window = new BrowserWindow({
    // With a name, Electron remembers where the window was; two of one name would lie on one another.
    ...(isFirst && { name: 'main', windowStatePersistence: true }),
    title: 'Fieldbench',
    icon,
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
      // Its dictionaries would come from the internet (electron/docs/tutorial/spellchecker.md).
      spellcheck: false,
      // Charts go on drawing what arrives while another window is in front.
      backgroundThrottling: false,
    },
  });
  const followTheme = () => window.setBackgroundColor(backgroundColor());
  nativeTheme.on('updated', followTheme);
  window.once('closed', () => nativeTheme.off('updated', followTheme));
  helpWithTrouble(window, { app, dialog, log });
  try {
    await window.loadURL(`${APP_ORIGIN}/${STARTING_PATH}`);
    // Not at ready-to-show, which never comes for a hidden window on many Wayland desktops (electron 48859).
    if (!window.isDestroyed()) window.show();
    const service = await starting;
    if (window.isDestroyed()) return;
    connectPage(window.webContents, service, log, (asked) => {
      if (BrowserWindow.getAllWindows().length >= MOST_WINDOWS)
        return log.warn(`${MOST_WINDOWS} windows are open; one more is not opened.`);
      openWindow(options, asked).catch((error: unknown) =>
        log.error('Another window could not be opened', error),
      );
    });
    await window.loadURL(`${APP_ORIGIN}/${address}`);
  } catch (error) {
    // Who closes the window before its page has come wants no window.
    if (!window.isDestroyed()) throw error;
  }
}
