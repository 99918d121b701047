import { EventEmitter } from 'node:events';
import { beforeAll, expect, test, vi } from 'vitest';
import { guardPages } from '../../../electron/shell/page/guard.ts';
import { preventable } from './fakes.ts';

type Check = (contents: unknown, permission: string, origin: string) => boolean;
type Request_ = (
  contents: unknown,
  permission: string,
  answer: (granted: boolean) => void,
  details: { requestingUrl: string },
) => void;

const electron = vi.hoisted(() => ({
  app: {} as EventEmitter,
  session: {} as { defaultSession: FakeSession },
}));
vi.mock('electron', () => electron);

class FakeSession extends EventEmitter {
  check: Check = () => true;
  request: Request_ = (_contents, _permission, answer) => answer(true);

  setPermissionCheckHandler(check: Check): void {
    this.check = check;
  }

  setPermissionRequestHandler(request: Request_): void {
    this.request = request;
  }
}

const session = new FakeSession();
beforeAll(() => {
  electron.app = new EventEmitter();
  electron.session.defaultSession = session;
  guardPages();
});

const HOME = 'app://fieldbench/';
const COPY = 'clipboard-sanitized-write';

const ASKED: readonly [permission: string, url: string, granted: boolean][] = [
  [COPY, HOME, true],
  [COPY, 'app://fieldbench', true],
  [COPY, 'https://example.com/', false],
  [COPY, 'app://fieldbench.evil/', false],
  ['fullscreen', HOME, true],
  ['fullscreen', 'https://example.com/', false],
  ['notifications', HOME, true],
  ['notifications', 'https://example.com/', false],
  ['pointerLock', HOME, false],
  ['clipboard-read', HOME, false],
  ['geolocation', HOME, false],
  ['media', HOME, false],
  ['usb', HOME, false],
  ['fileSystem', HOME, false],
  ['openExternal', HOME, false],
];

test.each(ASKED)('permission %s of a page at %s, however it is asked for: %s', (permission, url, granted) => {
  const answers: boolean[] = [];
  session.request({}, permission, (answer) => answers.push(answer), { requestingUrl: url });
  expect([session.check({}, permission, url), answers]).toEqual([granted, [granted]]);
});

test('a folder of the system’s own that is dropped is refused, and not left without an answer', () => {
  const answers: string[] = [];
  const details = { origin: HOME, isDirectory: true, path: '/etc' };
  session.emit('file-system-access-restricted', {}, details, (answer: string) => answers.push(answer));
  expect(answers).toEqual(['deny']);
});

test('a page goes nowhere, opens nothing and embeds nothing', () => {
  let open: (() => { action: string }) | null = null;
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: () => { action: string }) => void (open = handler),
  });
  electron.app.emit('web-contents-created', {}, contents);
  expect(open).toEqual(expect.any(Function));
  expect((open as unknown as () => object)()).toEqual({ action: 'deny' });
  for (const event of ['will-frame-navigate', 'will-redirect', 'will-attach-webview']) {
    const attempt = preventable();
    contents.emit(event, attempt);
    expect(attempt.prevented, event).toBe(true);
  }
});
