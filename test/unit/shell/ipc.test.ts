import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { expect, test } from 'vitest';
import type { Principal } from '#core/api/call.ts';
import { createLogger } from '#core/logger.ts';
import type { Permission } from '#shared/schemas.ts';
import type { ServerMessage } from '#shared/wire.ts';
import { CHANNEL } from '../../../electron/shell/channel.ts';
import { connectPage } from '../../../electron/shell/ipc.ts';

/** A window's page, as far as its messages go. */
class Page extends EventEmitter {
  readonly ipc = new EventEmitter();
  readonly mainFrame = { url: 'app://fieldbench/#/projects' };
  readonly sent: unknown[] = [];
  isGone = false;

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
  const sessions: { received: unknown[]; closed: boolean; post: (message: ServerMessage) => void }[] = [];
  const logged: string[] = [];
  const owner = { account_id: 'a', permissions: new Set<Permission>(), project_ids: null, key_id: null };
  const service = {
    owner,
    openWindow(principal: Principal, post: (message: ServerMessage) => void) {
      expect(principal).toBe(owner);
      const session = { received: [] as unknown[], closed: false, post };
      sessions.push(session);
      return {
        receive: (message: unknown) => void session.received.push(message),
        close: () => void (session.closed = true),
      };
    },
  };
  connectPage(
    page as unknown as WebContents,
    service,
    createLogger((line) => void logged.push(line)),
  );
  return { page, sessions, logged };
}

const more: ServerMessage = { type: 'more', n: 1 };

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

test('a page that is loaded anew gets a session of its own; moving within the page does not', () => {
  const { page, sessions } = connected();
  page.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true });
  page.emit('did-start-navigation', { isMainFrame: false, isSameDocument: false });
  expect(sessions).toHaveLength(1);
  page.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
  page.says('hello');
  expect(sessions.map(({ closed, received }) => [closed, received])).toEqual([
    [true, []],
    [false, ['hello']],
  ]);
});

test('a window that is gone ends its session, and nothing is sent to it', () => {
  const { page, sessions } = connected();
  page.isGone = true;
  page.emit('destroyed');
  expect(sessions[0]?.closed).toBe(true);
  expect(() => sessions[0]?.post(more)).not.toThrow();
  expect(page.sent).toEqual([]);
});
