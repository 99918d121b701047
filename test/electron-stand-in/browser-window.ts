import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { PressedKey } from './desktop/accelerator.ts';
import { Menu } from './desktop/menu.ts';
import { createEvent } from './event.ts';
import { WebContents, type Surroundings } from './web-contents.ts';

interface WebPreferences {
  readonly preload?: string;
  readonly [name: string]: unknown;
}

export interface BrowserWindowOptions {
  readonly name?: string;
  readonly icon?: string;
  readonly width?: number;
  readonly height?: number;
  /** Of its corner: both, or neither (electron/docs/api/structures/base-window-options.md). */
  readonly x?: number;
  readonly y?: number;
  readonly windowStatePersistence?: boolean;
  readonly webPreferences?: WebPreferences;
}

/** Settings that take a page's walls down. Electron obeys them; an app that is secure has no use for one. */
const FORBIDDEN: Readonly<Record<string, unknown>> = {
  sandbox: false,
  contextIsolation: false,
  webSecurity: false,
  nodeIntegration: true,
  nodeIntegrationInWorker: true,
  nodeIntegrationInSubFrames: true,
  webviewTag: true,
  allowRunningInsecureContent: true,
  experimentalFeatures: true,
  navigateOnDragDrop: true,
};

/** Throws on what a secure app forbids, and on a preload that a sandboxed window could not load. */
export function checkOptions({
  name,
  icon,
  x,
  y,
  windowStatePersistence,
  webPreferences = {},
}: BrowserWindowOptions): void {
  if ((x === undefined) !== (y === undefined)) throw new Error('x and y are needed together');
  for (const [setting, value] of Object.entries(FORBIDDEN)) {
    if (webPreferences[setting] === value)
      throw new Error(`webPreferences.${setting} must not be ${String(value)}`);
  }
  if (webPreferences['enableBlinkFeatures'] !== undefined)
    throw new Error('webPreferences.enableBlinkFeatures is unsafe');
  const { preload } = webPreferences;
  if (preload !== undefined) {
    if (!isAbsolute(preload)) throw new Error(`preload script must have absolute path: ${preload}`);
    if (preload.endsWith('.mjs'))
      throw new Error(`A sandboxed window cannot load an ESM preload: ${preload}`);
    if (!existsSync(preload)) throw new Error(`Unable to load preload script: ${preload}`);
  }
  // By default it is on, and fetches dictionaries from the internet (electron/docs/tutorial/spellchecker.md).
  if (webPreferences['spellcheck'] !== false) throw new Error('webPreferences.spellcheck must be false');
  if (icon !== undefined && !existsSync(icon)) throw new Error(`There is no icon ${icon}`);
  if (windowStatePersistence && name === undefined)
    throw new Error('windowStatePersistence has no effect without a name');
}

/** electron.BrowserWindow, made for the app around it. */
export function createBrowserWindowClass(around: Surroundings) {
  const windows = new Set<BrowserWindow>();

  class BrowserWindow extends EventEmitter {
    static #lastId = 0;
    readonly id = ++BrowserWindow.#lastId;
    readonly webContents: WebContents;
    readonly #name: string | undefined;
    readonly #bounds: { x: number; y: number; width: number; height: number };
    #visible: boolean;
    #minimized = false;

    constructor(options: BrowserWindowOptions & { readonly show?: boolean } = {}) {
      super();
      checkOptions(options);
      this.#name = options.name;
      if (this.#name !== undefined && [...windows].some((window) => window.#name === this.#name)) {
        throw new Error(`Window name '${this.#name}' is already in use`);
      }
      const { width = 800, height = 600, webPreferences = {}, show = true } = options;
      this.#visible = show;
      // In the middle of the screen, where nothing else is said.
      const { x = (1920 - width) / 2, y = (1080 - height) / 2 } = options;
      this.#bounds = { x, y, width, height };
      this.webContents = new WebContents(around, { width, height, preload: webPreferences.preload });
      windows.add(this);
      around.app.windows.add(this);
      this.webContents.once('destroyed', () => {
        windows.delete(this);
        this.emit('closed');
        around.app.windowClosed(this);
      });
      // A hidden window may never be told, on Wayland (electron 48859).
      this.webContents.once('did-finish-load', () => {
        if (this.#visible) this.emit('ready-to-show', createEvent({}));
      });
      this.webContents.on('unhandled-key', (key: PressedKey) =>
        Menu.getApplicationMenu()?.press(key, this.#inWindow()),
      );
      around.app.emit('web-contents-created', createEvent({}), this.webContents);
      around.app.emit('browser-window-created', createEvent({}), this);
    }

    static getAllWindows(): BrowserWindow[] {
      return [...windows];
    }

    static fromWebContents(contents: WebContents): BrowserWindow | null {
      return [...windows].find(({ webContents }) => webContents === contents) ?? null;
    }

    /** Chooses an item of the app's menu while this window is in front. */
    chooseInMenu(label: string): void {
      Menu.getApplicationMenu()?.choose(label, this.#inWindow());
    }

    #inWindow() {
      return { app: around.app, window: this, contents: this.webContents };
    }

    loadURL(url: string): Promise<void> {
      return this.webContents.loadURL(url);
    }

    close(): void {
      const event = createEvent({});
      this.emit('close', event);
      if (!event.defaultPrevented) this.destroy();
    }

    destroy(): void {
      void this.webContents.close();
    }

    isDestroyed(): boolean {
      return this.webContents.isDestroyed();
    }

    show(): void {
      this.showInactive();
      this.focus();
    }

    showInactive(): void {
      this.#visible = true;
      this.#minimized = false;
      this.emit('show');
    }

    hide(): void {
      this.#visible = false;
    }

    getBounds() {
      return { ...this.#bounds };
    }

    /** As on Windows, which calls a window that is minimised not visible (electron/shell/browser/native_window_views.cc). */
    isVisible(): boolean {
      return this.#visible && !this.#minimized;
    }

    isMinimized(): boolean {
      return this.#minimized;
    }

    minimize(): void {
      this.#minimized = true;
    }

    restore(): void {
      this.#minimized = false;
    }

    /** Of a hidden window it does nothing. */
    focus(): void {
      if (this.isVisible()) this.emit('focus');
    }

    setBackgroundColor(color: string): void {
      if (!/^#[0-9a-f]{3,8}$/i.test(color)) throw new Error(`Not a colour: ${color}`);
    }
  }
  return BrowserWindow;
}
