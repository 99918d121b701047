import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { App } from './app.ts';
import { reloadOnceThere, unlessTooLate, type Session as CdpSession } from './chromium.ts';
import { followDownloads } from './desktop/downloads.ts';
import { nativeTheme } from './desktop/native-theme.ts';
import { createEvent } from './event.ts';
import { IpcMain } from './ipc-main.ts';
import { PreloadChannel, type Message } from './preload/preload-channel.ts';
import { OCCASION, type Occasion } from './occasions.ts';
import type { Protocol } from './protocol.ts';
import { answerRequests } from './requests.ts';
import type { Session } from './session.ts';

/** What every page needs of the app that it belongs to. */
export interface Surroundings {
  readonly app: App;
  readonly protocol: Protocol;
  readonly session: Session;
  readonly ipcMain: IpcMain;
}

interface WindowOptions {
  readonly width: number;
  readonly height: number;
  readonly preload: string | undefined;
}

/** electron.WebFrameMain: the frame that a message came from. */
export interface WebFrame {
  url: string;
  readonly top: WebFrame | null;
}

/** ms after which a window that the page opened has surely come up. */
const OPENING_MS = 1000;

/** ms after which a page that is still there is asked to close once more. */
const CLOSING_MS = 2000;

/** electron.WebContents, over a page of Chromium. */
export class WebContents extends EventEmitter {
  static #lastId = 0;
  readonly id = ++WebContents.#lastId;
  readonly ipc = new IpcMain();
  readonly mainFrame: WebFrame;
  readonly session: Session;
  /** Only a number here: nothing is drawn larger. */
  zoomLevel = 0;
  readonly #around: Surroundings;
  readonly #opened: Promise<CdpSession>;
  readonly #preload = new PreloadChannel((message) => this.#receive(message));
  #targetId = '';
  #frameId = '';
  /** The navigation that the app itself asked for: a page's own are offered to will-navigate. */
  #asked: string | null = null;
  /** A reload that the page itself asked for: Electron offers it to the guards, as any other navigation. */
  #reloads = false;
  #destroyed = false;
  #openHandler: ((details: { url: string }) => { action: string }) | null = null;

  constructor(around: Surroundings, options: WindowOptions) {
    super();
    this.#around = around;
    this.session = around.session;
    const frame: WebFrame = {
      url: '',
      get top() {
        return frame;
      },
    };
    this.mainFrame = frame;
    this.#opened = this.#open(options);
  }

  async #open({ width, height, preload }: WindowOptions): Promise<CdpSession> {
    const { chromium } = this.#around.app;
    const browser = chromium.session();
    await browser.send('Target.setDiscoverTargets', { discover: true });
    const created = await browser.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
    });
    this.#targetId = this.#frameId = created.targetId;
    browser.on('Target.targetDestroyed', ({ targetId }) => {
      if (targetId === this.#targetId) this.#gone();
    });
    // The handler below has refused it; Chromium knows no way to refuse before it opens. While it opens, a test that is
    // attached may hold it, and its opener with it: to be closed then would hold the opener for ever.
    const closeOpened = (targetId: string) =>
      void browser.send('Target.closeTarget', { targetId }).catch(unlessTooLate);
    browser.on('Target.targetCreated', ({ targetInfo: { targetId, openerId } }) => {
      if (openerId === this.#targetId) setTimeout(closeOpened, OPENING_MS, targetId).unref();
    });
    const { sessionId } = await browser.send('Target.attachToTarget', {
      targetId: this.#targetId,
      flatten: true,
    });
    await followDownloads(
      browser,
      (frameId) => frameId === this.#frameId,
      (item) => this.session.emit('will-download', createEvent({}), item, this),
    );
    const page = chromium.session(sessionId);
    this.#listen(page);
    await page.send('Page.enable');
    await page.send('Inspector.enable');
    await page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    if (preload !== undefined) await this.#preload.open(page, this.#frameId, preload);
    await this.#followTheme(page);
    return page;
  }

  /** Pages see the theme that the app has chosen. */
  async #followTheme(page: CdpSession): Promise<void> {
    const show = async () => {
      const value = nativeTheme.themeSource === 'system' ? '' : nativeTheme.themeSource;
      await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    };
    const follow = () => void show().catch(unlessTooLate);
    nativeTheme.on('updated', follow);
    this.once('destroyed', () => nativeTheme.off('updated', follow));
    await show();
  }

  #listen(page: CdpSession): void {
    page.on('Page.frameRequestedNavigation', ({ frameId, reason }) => {
      if (frameId === this.#frameId) this.#reloads = reason === 'reload';
    });
    page.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
      const isSameDocument = /sameDocument/i.test(navigationType);
      const details = {
        url: this.#fromChromium(url),
        isSameDocument,
        isMainFrame: frameId === this.#frameId,
      };
      this.emit('did-start-navigation', createEvent(details));
    });
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.#frameId) return;
      this.mainFrame.url = this.#fromChromium(frame.url);
      this.emit('did-navigate', createEvent({}), this.mainFrame.url);
    });
    page.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.#frameId) this.mainFrame.url = this.#fromChromium(url);
    });
    page.on('Page.windowOpen', ({ url }) => {
      const { action } = this.#openHandler?.({ url: this.#fromChromium(url) }) ?? { action: 'allow' };
      if (action !== 'deny') throw new Error(`The page opened ${url}, and no setWindowOpenHandler denied it`);
    });
    page.on('Page.loadEventFired', () => {
      // A window begins empty, which Electron does not tell anyone.
      if (this.mainFrame.url !== '' && this.mainFrame.url !== 'about:blank')
        this.emit('did-finish-load', createEvent({}));
    });
    page.on('Inspector.targetCrashed', () => {
      this.emit('render-process-gone', createEvent({}), { reason: 'crashed', exitCode: 1 });
    });
    answerRequests(page, this.#around.protocol, {
      isRefused: (url, frameId) => this.#isRefused(url, frameId),
      isGone: () => this.#destroyed,
    });
  }

  /** Offers a navigation that the page began to the app's guards. */
  #isRefused(url: string, frameId: string): boolean {
    const isMainFrame = frameId === this.#frameId;
    const isOwn = isMainFrame && (url === this.#asked || url === this.mainFrame.url.split('#')[0]);
    // What the app asked for, a reload too, is offered to nobody.
    if (isOwn && !this.#reloads) {
      this.#asked = null;
      return false;
    }
    if (isOwn) this.#reloads = false;
    const event = createEvent({ url, isMainFrame, isSameDocument: false });
    this.emit('will-frame-navigate', event);
    if (isMainFrame && !event.defaultPrevented) this.emit('will-navigate', event, url);
    return event.defaultPrevented;
  }

  #receive({ n, channel, args }: Message): void {
    if (channel === OCCASION) return void this.#meet(args[0] as Occasion);
    const event = createEvent({
      type: 'frame',
      sender: this,
      senderFrame: this.mainFrame,
      ports: [],
      reply: (to: string, ...answer: unknown[]) => this.send(to, ...answer),
    });
    if (n === undefined) {
      this.ipc.emit(channel, event, ...args);
      this.#around.ipcMain.emit(channel, event, ...args);
    } else {
      void this.#invoke(n, channel, event, args);
    }
  }

  /** What Electron asks of the app, or of its menu, before it goes on. */
  async #meet(occasion: Occasion): Promise<void> {
    if (occasion.kind === 'key') this.emit('unhandled-key', occasion);
    else if (occasion.kind === 'context-menu') {
      const can = occasion.isEditable || occasion.selectionText !== '';
      const editFlags = { canCut: occasion.isEditable, canCopy: can, canPaste: true, canSelectAll: true };
      const pointed = { ...occasion, editFlags, frame: this.mainFrame, menuSourceType: 'mouse' };
      this.emit('context-menu', createEvent({}), pointed);
    } else if (await this.session.allows(this, occasion.permission, this.mainFrame.url))
      this.#preload.send({ channel: OCCASION, args: [{ id: occasion.id }] });
  }

  async #invoke(n: number, channel: string, event: object, args: readonly unknown[]): Promise<void> {
    const handler = this.ipc.handler(channel) ?? this.#around.ipcMain.handler(channel);
    try {
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      this.#preload.send({ n, channel, args: [await handler(event, ...args)] });
    } catch (reason) {
      // All that is left of an error is its text (electron 24427).
      const error = `Error invoking remote method '${channel}': ${String(reason)}`;
      this.#preload.send({ n, channel, args: [], error });
    }
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.#destroyed) throw new TypeError('Object has been destroyed');
    this.#preload.send({ channel, args });
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#opened;
    const { app, protocol } = this.#around;
    await this.session.settle(app.chromium.session(), this, url, new URL(protocol.toChromium(url)).origin);
    this.#asked = url;
    const loaded = Promise.withResolvers<void>();
    const crash = () => loaded.reject(new Error(`ERR_FAILED (-2) loading '${url}'`));
    this.once('did-finish-load', loaded.resolve);
    this.once('render-process-gone', crash);
    try {
      // A page that crashes on its way answers nothing any more.
      const begun = page.send('Page.navigate', { url: this.#around.protocol.toChromium(url) });
      const answer = await Promise.race([begun, loaded.promise]);
      if (answer?.errorText) throw new Error(`${answer.errorText.replace('net::', '')} loading '${url}'`);
      await loaded.promise;
    } finally {
      this.off('did-finish-load', loaded.resolve);
      this.off('render-process-gone', crash);
    }
  }

  reload(): void {
    void this.#opened.then(reloadOnceThere).catch(unlessTooLate);
  }

  /** Told by 'render-process-gone'. */
  forcefullyCrashRenderer(): void {
    // Nobody is left to answer it.
    void this.#opened.then((page) => page.send('Page.crash')).catch(unlessTooLate);
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.#openHandler = handler;
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  async close(): Promise<void> {
    await this.#opened;
    const browser = this.#around.app.chromium.session();
    // Chromium answers at once; a page that is just being navigated to may be there all the same.
    while (!this.#destroyed) {
      const gone = new Promise((resolve) => this.once('destroyed', resolve));
      await browser.send('Target.closeTarget', { targetId: this.#targetId }).catch(unlessTooLate);
      await Promise.race([gone, delay(CLOSING_MS)]);
    }
  }

  #gone(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#preload.close();
    this.emit('destroyed', createEvent({}));
  }

  #fromChromium(url: string): string {
    return this.#around.protocol.fromChromium(url);
  }
}
