import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { expect, test } from 'vitest';
import type { Principal } from '#core/api/call.ts';
import { createLogger } from '#core/base/logger.ts';
import { succeeded } from '#shared/schema/envelope.ts';
import type { Permission } from '#shared/schema/schemas.ts';
import type { PostedMessage } from '#shared/bridge/wire.ts';
import {
  CHANNEL,
  FILES_CHANNEL,
  RELOAD_CHANNEL,
  THEME_CHANNEL,
  WINDOW_CHANNEL,
} from '../../../electron/shell/page/channel.ts';
import { connectPage } from '../../../electron/shell/page/ipc.ts';

/** A window's page, as far as its messages go. */
class Page extends EventEmitter {
  readonly ipc = new EventEmitter();
  readonly mainFrame = { url: 'app://fieldbench/#/projects' };
  readonly sent: unknown[] = [];
  isGone = false;
  reloads = 0;

  reload(): void {
    this.reloads++;
  }

  isDestroyed(): boolean {
    return this.isGone;
  }

  send(channel: string, message: unknown): void {
    if (this.isGone) throw new TypeError('Object has been destroyed');
    this.sent.push([channel, message]);
  }

  says(message: unknown, senderFrame: { url: string } | null = this.mainFrame): void {
    this.ipc.emit(CHANNEL, { senderFrame }, message);
  }
}

function connected() {
  const page = new Page();
  const sessions: { received: unknown[]; closed: boolean; post: (message: PostedMessage) => void }[] = [];
  const logged: string[] = [];
  const others: string[] = [];
  const themes: string[] = [];
  const takers = { count: 0 };
  const owner = {
    account_id: 'a',
    permissions: new Set<Permission>(),
    project_ids: null,
    key_id: null,
    by: { kind: 'window', name: 'tester' } as const,
  };
  const service = {
    owner,
    openWindow(principal: Principal, post: (message: PostedMessage) => void) {
      expect(principal).toBe(owner);
      const session = { received: [] as unknown[], closed: false, post };
      sessions.push(session);
      return {
        receive: (message: unknown) => void session.received.push(message),
        close: () => void (session.closed = true),
      };
    },
  };
  const files = connectPage(
    page as unknown as WebContents,
    service,
    createLogger((line) => void logged.push(line)),
    {
      openAnother: (address) => void others.push(address),
      chooseTheme: (theme) => void themes.push(theme),
      takeFiles: (contents) => {
        expect(contents).toBe(page);
        takers.count++;
      },
    },
  );
  page.emit('did-navigate');
  return { page, sessions, logged, others, themes, takers, files };
}

const more: PostedMessage = { type: 'more', n: 1 };

test('messages pass between the window’s own page and the service', () => {
  const { page, sessions } = connected();
  page.says('hello');
  sessions[0]?.post(more);
  expect(sessions[0]?.received).toEqual(['hello']);
  expect(page.sent).toEqual([[CHANNEL, more]]);
});

test.each([
  ['another frame of the page', (_page: Page) => ({ url: 'app://fieldbench/' })],
  ['a frame that is gone', () => null],
  [
    'the main frame, showing another site',
    (page: Page) => Object.assign(page.mainFrame, { url: 'https://example.com/' }),
  ],
  [
    'a site whose name begins like the app’s',
    (page: Page) => Object.assign(page.mainFrame, { url: 'app://fieldbench.evil/' }),
  ],
])('%s is not heard, and the log says so', (_who, sender) => {
  const { page, sessions, logged } = connected();
  page.says('hello', sender(page));
  expect(sessions[0]?.received).toEqual([]);
  expect(logged.join()).toContain('was ignored');
});

test('files that a page sends and gets are counted until they have ended, of other services too', () => {
  const { page, sessions, files } = connected();
  page.says({ type: 'upload', n: 1, id: 'records.import', input: {}, size: 1 });
  page.says({ type: 'upload', n: 1, at: 'lab', id: 'records.import', input: {}, size: 1 });
  page.says({ type: 'download', n: 2, id: 'records.export', input: {} });
  page.says({ type: 'call', n: 3, id: 'projects.list', input: {} });
  page.says('nothing at all');
  expect(files()).toBe(3);
  const envelope = succeeded('import', 200, 'Imported.', null);
  sessions[0]?.post({ type: 'reply', n: 1, envelope });
  sessions[0]?.post({ type: 'reply', n: 3, envelope });
  page.says({ type: 'cancel', n: 2 });
  expect(files()).toBe(1);
  // One that is saved has not ended with its reply: its last bytes are still to be written.
  page.says({ type: 'download', n: 4, id: 'backup.get', input: {}, into: 1 });
  sessions[0]?.post({ type: 'file', file: 1, path: 'files/x', bytes: 1 });
  sessions[0]?.post({ type: 'reply', n: 4, envelope });
  expect(files()).toBe(2);
  sessions[0]?.post({ type: 'file-over', file: 1, how: 'whole' });
  expect(files()).toBe(1);
  page.emit('did-navigate');
  expect(files()).toBe(0);
});

test('a page that is loaded anew gets a session of its own, and hears nothing of the last one', () => {
  const { page, sessions } = connected();
  page.emit('did-navigate');
  page.says('hello');
  sessions[0]?.post(more);
  expect(sessions.map(({ closed, received }) => [closed, received])).toEqual([
    [true, []],
    [false, ['hello']],
  ]);
  expect(page.sent).toEqual([]);
});

test('a navigation that was refused leaves the page its session', () => {
  const { page, sessions } = connected();
  page.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
  page.says('hello');
  sessions[0]?.post(more);
  expect(sessions.map(({ closed, received }) => [closed, received])).toEqual([[false, ['hello']]]);
  expect(page.sent).toEqual([[CHANNEL, more]]);
});

test('a page that crashed is sent nothing until it is loaded anew', () => {
  const { page, sessions } = connected();
  page.emit('render-process-gone', {}, { reason: 'crashed' });
  expect(sessions[0]?.closed).toBe(true);
  sessions[0]?.post(more);
  expect(page.sent).toEqual([]);
  page.emit('did-navigate');
  sessions[1]?.post(more);
  expect(page.sent).toEqual([[CHANNEL, more]]);
});

test('a piece of a file crosses without the memory around it', () => {
  const { page, sessions } = connected();
  const whole = new Uint8Array([1, 2, 3, 4]);
  sessions[0]?.post({ type: 'bytes', n: 1, bytes: whole.subarray(1, 3) });
  sessions[0]?.post({ type: 'bytes', n: 1, bytes: whole });
  const [piece, all] = page.sent.map((sent) => (sent as [string, { bytes: Uint8Array }])[1].bytes);
  expect([piece, piece?.buffer.byteLength]).toEqual([new Uint8Array([2, 3]), 2]);
  // What is whole is not copied.
  expect(all).toBe(whole);
});

test('a window that is gone ends its session, and nothing is sent to it', () => {
  const { page, sessions } = connected();
  page.isGone = true;
  page.emit('destroyed');
  expect(sessions[0]?.closed).toBe(true);
  expect(() => sessions[0]?.post(more)).not.toThrow();
  expect(page.sent).toEqual([]);
});

test('the page is loaded anew, and another window opened, for the window’s own page alone', () => {
  const { page, others } = connected();
  const stranger = { url: 'https://evil.example/' };
  for (const senderFrame of [stranger, null, { url: page.mainFrame.url }]) {
    page.ipc.emit(RELOAD_CHANNEL, { senderFrame });
    page.ipc.emit(WINDOW_CHANNEL, { senderFrame }, '#/at/1/');
  }
  expect([page.reloads, others]).toEqual([0, []]);
  page.ipc.emit(RELOAD_CHANNEL, { senderFrame: page.mainFrame });
  page.ipc.emit(WINDOW_CHANNEL, { senderFrame: page.mainFrame }, '#/at/0b2c/projects/1?range=24h');
  expect([page.reloads, others]).toEqual([1, ['#/at/0b2c/projects/1?range=24h']]);
});

test('another window is opened at an address of the app, and nowhere else', () => {
  const { page, others, logged } = connected();
  for (const address of ['https://evil.example/', '#evil', '', '#/"><script>', 'javascript:1', 7, null])
    page.ipc.emit(WINDOW_CHANNEL, { senderFrame: page.mainFrame }, address);
  expect(others).toEqual([]);
  expect(logged).toHaveLength(7);
});

test('a theme and opened files are for the window’s own page, and a theme is one of three', () => {
  const { page, themes, takers } = connected();
  for (const senderFrame of [{ url: 'https://evil.example/' }, null, page.mainFrame]) {
    page.ipc.emit(FILES_CHANNEL, { senderFrame });
    for (const theme of ['dark', 'neon', 7]) page.ipc.emit(THEME_CHANNEL, { senderFrame }, theme);
  }
  expect([themes, takers.count]).toEqual([['dark'], 1]);
});
