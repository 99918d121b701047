import { join } from 'node:path';
import {
  BrowserWindow,
  dialog,
  nativeTheme,
  screen,
  type Rectangle,
  type Size,
  type WebContents,
} from 'electron';
import type { Logger } from '#core/base/logger.ts';
import { bringUp } from './bring-up.ts';
import { fitting } from './fitting.ts';
import { connectPage, type PageAsks, type WindowService } from './page/ipc.ts';
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
  /** Requests of a page to the shell, beside another window. */
  readonly asks: Omit<PageAsks, 'openAnother'>;
  /** Quits, as a person asks for it. */
  readonly quit: () => void;
  /** Told of each new window, with what counts the files that its page sends or gets. */
  readonly opened?: (window: BrowserWindow, files: () => number) => void;
  /** Told of the page of the window that is used from now on. */
  readonly used?: (contents: WebContents) => void;
  /** Shows the windows that were hidden while the service went on without any. */
  readonly bringBack?: () => void;
}

/** Windows at once. */
const MOST_WINDOWS = 16;
const SIZE = { width: 1280, height: 800 };
/** How far a further window lies from the one that it was opened from, in pixels: its title bar stays in view. */
const STEP = 32;

/**
 * Returns what brings the window that was used last to the front, and those that were hidden back, or opens one: that
 * resolves once its page is there, or the window was closed before, and rejects where the service does not start.
 */
export function createShow(options: WindowOptions): () => Promise<void> {
  /** Newest last. */
  const used: BrowserWindow[] = [];
  nativeTheme.on('updated', () => {
    for (const window of BrowserWindow.getAllWindows()) window.setBackgroundColor(backgroundColor());
  });

  function follow(window: BrowserWindow, files: () => number): void {
    const forget = () => {
      const index = used.indexOf(window);
      if (index >= 0) used.splice(index, 1);
    };
    const use = () => {
      forget();
      used.push(window);
      options.used?.(window.webContents);
    };
    use();
    window.on('focus', use);
    window.once('closed', forget);
    options.opened?.(window, files);
  }

  /** Opens a window at an address of the app. What its page may do is guard.ts's. */
  async function open(address = ''): Promise<void> {
    const window = createWindow(options.icon, used.at(-1));
    /** Null until its page is connected. */
    const page: { files: (() => number) | null } = { files: null };
    follow(window, () => page.files?.() ?? 0);
    await load(window, address, page);
  }

  async function load(
    window: BrowserWindow,
    address: string,
    page: { files: (() => number) | null },
  ): Promise<void> {
    const { starting, log, asks } = options;
    const { webContents } = window;
    let hasCrashed = false;
    webContents.on('render-process-gone', () => (hasCrashed = true));
    const failed = (error: unknown) => log.error('The window could not be opened again', error);
    const reopen = () => {
      hasCrashed = false;
      // Anew by the address that it has by now, where the app's page was there.
      if (page.files) webContents.reload();
      else whole().catch(failed);
    };
    helpWithTrouble(window, { quit: options.quit, dialog, log, reopen });

    async function whole(): Promise<void> {
      await window.loadURL(`${APP_ORIGIN}/${STARTING_PATH}`);
      // Not at ready-to-show, which never comes for a hidden window on many Wayland desktops (electron 48859).
      if (!window.isDestroyed()) window.show();
      const service = await starting;
      if (window.isDestroyed() || hasCrashed) return;
      page.files = connectPage(webContents, service, log, { ...asks, openAnother });
      await window.loadURL(`${APP_ORIGIN}/${address}`);
    }

    try {
      await whole();
    } catch (error) {
      // Who closes the window before its page has come wants no window; of a crash page-trouble.ts has told.
      if (!window.isDestroyed() && !hasCrashed) throw error;
    }
  }

  function openAnother(address: string): void {
    const { log } = options;
    if (BrowserWindow.getAllWindows().length >= MOST_WINDOWS)
      return log.warn(`${MOST_WINDOWS} windows are open; one more is not opened.`);
    open(address).catch((error: unknown) => log.error('Another window could not be opened', error));
  }

  return async () => {
    const window = used.at(-1);
    if (!window) return open();
    options.bringBack?.();
    bringUp(window);
  };
}

/** `from`: the window from which it is opened. */
function createWindow(icon: string, from: BrowserWindow | undefined): BrowserWindow {
  const display = from ? screen.getDisplayMatching(from.getBounds()) : screen.getPrimaryDisplay();
  const size = fitting(SIZE, display.workArea);
  return new BrowserWindow({
    // With a name, Electron remembers where the window was; two of one name would lie on one another.
    ...(from ? beside(from, display.workArea, size) : { name: 'main', windowStatePersistence: true }),
    title: 'Fieldbench',
    icon,
    ...size,
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
}

const fits = (at: number, size: number, from: number, room: number) => at + size <= from + room;

/** A place a step below another window; at the corner of its display where that would lead out of it. */
function beside(window: BrowserWindow, area: Rectangle, { width, height }: Size) {
  const { x, y } = window.getBounds();
  return {
    x: fits(x + STEP, width, area.x, area.width) ? x + STEP : area.x,
    y: fits(y + STEP, height, area.y, area.height) ? y + STEP : area.y,
  };
}
