import type { WebContents, WebFrameMain } from 'electron';
import type { Logger } from '#core/base/logger.ts';
import type { Service } from '#core/service/service.ts';
import type { Theme } from '#shared/bridge/bridge.ts';
import type { PostedMessage } from '#shared/bridge/wire.ts';
import { CHANNEL, FILES_CHANNEL, RELOAD_CHANNEL, THEME_CHANNEL, WINDOW_CHANNEL } from './channel.ts';
import { FilesUnderWay } from './files-under-way.ts';
import { isAppUrl } from './origin.ts';
import { isTheme } from './theme.ts';

/** Service as a window needs it. */
export type WindowService = Pick<Service, 'owner' | 'openWindow'>;

/** Requests of a page to the shell. */
export interface PageAsks {
  /** Opens another window at an address of the app: "#/…". */
  openAnother(address: string): void;
  /** The theme that was chosen in it. */
  chooseTheme(theme: Theme): void;
  /** Sends a page the files that the system gave the app to open, which it takes or not, and later ones. */
  takeFiles(contents: WebContents, takes: boolean): void;
}

/**
 * Connects the page that a window loads next to the service, until the window is gone. Each document has a session of
 * its own, from when it is there (did-navigate): a navigation that only began may yet be refused, and then the page
 * that stays goes on. Returns what counts the files that its page sends or gets now.
 */
export function connectPage(
  contents: WebContents,
  service: WindowService,
  log: Logger,
  asks: PageAsks,
): () => number {
  type Session = ReturnType<WindowService['openWindow']>;
  let document: { session: Session | null; readonly files: FilesUnderWay } | null = null;

  const close = () => {
    const last = document;
    // First, so that nothing that ends now is told to the next page.
    document = null;
    last?.session?.close();
  };
  const open = () => {
    close();
    const files = new FilesUnderWay();
    const opened: { session: Session | null; readonly files: FilesUnderWay } = { session: null, files };
    document = opened;
    opened.session = service.openWindow(service.owner, (message) => {
      files.heard(message);
      if (opened === document && !contents.isDestroyed()) contents.send(CHANNEL, withOwnBytes(message));
    });
  };

  contents.ipc.on(CHANNEL, (event, message: unknown) => {
    if (isOurPage(event.senderFrame, contents)) {
      document?.files.said(message);
      document?.session?.receive(message);
    } else log.warn(`A message from ${event.senderFrame?.url ?? 'a frame that is gone'} was ignored.`);
  });
  contents.ipc.on(RELOAD_CHANNEL, (event) => {
    if (isOurPage(event.senderFrame, contents)) contents.reload();
  });
  contents.ipc.on(WINDOW_CHANNEL, (event, address: unknown) => {
    if (!isOurPage(event.senderFrame, contents)) return;
    if (typeof address === 'string' && ADDRESS.test(address)) asks.openAnother(address);
    else log.warn('A page asked for a window at what is no address of the app.');
  });
  contents.ipc.on(THEME_CHANNEL, (event, theme: unknown) => {
    if (isOurPage(event.senderFrame, contents) && isTheme(theme)) asks.chooseTheme(theme);
  });
  contents.ipc.on(FILES_CHANNEL, (event, takes: unknown) => {
    if (isOurPage(event.senderFrame, contents)) asks.takeFiles(contents, takes === true);
  });
  contents.on('did-navigate', open);
  // Electron would log each message to a page that crashed. It is loaded anew, or nothing is.
  contents.on('render-process-gone', close);
  contents.once('destroyed', close);
  return () => document?.files.count ?? 0;
}

/** Pattern of a page's address behind that of the app. */
const ADDRESS = /^#\/[\w\-./~%?=&,:+]{0,2000}$/;

/** The one sender check: the window's own main frame, showing the app's own page. */
function isOurPage(frame: WebFrameMain | null, contents: WebContents): boolean {
  return frame !== null && frame === contents.mainFrame && isAppUrl(frame.url);
}

/** A view crosses to the page with all of the memory behind it: a piece of a larger buffer goes as a copy of its own. */
function withOwnBytes(message: PostedMessage): PostedMessage {
  if (message.type !== 'bytes' || message.bytes.byteLength === message.bytes.buffer.byteLength)
    return message;
  return { ...message, bytes: new Uint8Array(message.bytes) };
}
