import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { WINDOW_CHANNEL } from '../../../electron/shell/page/channel.ts';
import type { WindowService } from '../../../electron/shell/page/ipc.ts';
import { createShow } from '../../../electron/shell/window.ts';
import { logged, settled } from './fakes.ts';

const made = vi.hoisted(() => ({
  windows: [] as object[],
  answer: (_button: number): void => {},
  workArea: { x: 0, y: 0, width: 1920, height: 1080 },
}));

/** A window that never says it is ready to show, as hidden ones on Wayland do not. */
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: () =>
      new Promise((resolve) => {
        made.answer = (response) => resolve({ response });
      }),
  },
  nativeTheme: { shouldUseDarkColors: false, on: () => {} },
  screen: {
    getDisplayMatching: () => ({ workArea: made.workArea }),
    getPrimaryDisplay: () => ({ workArea: made.workArea }),
  },
  BrowserWindow: Object.assign(
    function BrowserWindow(options: object) {
      const window = new FakeWindow(options);
      made.windows.push(window);
      return window;
    },
    { getAllWindows: () => made.windows.filter((window) => !(window as FakeWindow).isDestroyed()) },
  ),
}));

class FakeWindow extends EventEmitter {
  readonly options: object;
  readonly webContents = Object.assign(new EventEmitter(), { ipc: new EventEmitter() });
  readonly loaded: string[] = [];
  readonly seen: string[] = [];
  #destroyed = false;
  minimized = false;

  constructor(options: object) {
    super();
    this.options = options;
  }

  loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    return this.#destroyed ? Promise.reject(new Error('ERR_FAILED')) : Promise.resolve();
  }

  show(): void {
    this.seen.push('show');
  }

  getBounds() {
    const { x = 320, y = 140 } = this.options as { x?: number; y?: number };
    return { x, y, width: 1280, height: 800 };
  }

  focus(): void {
    this.emit('focus');
    this.seen.push('focus');
  }

  restore(): void {
    this.seen.push('restore');
  }

  crash(): void {
    this.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  }

  isVisible(): boolean {
    return true;
  }

  isMinimized(): boolean {
    return this.minimized;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  destroy(): void {
    this.#destroyed = true;
    this.emit('closed');
  }

  setBackgroundColor(): void {}
}

const asks = { chooseTheme: () => {}, takeFiles: () => {} };
const quit = () => {};

function starting() {
  made.windows.length = 0;
  const service = Promise.withResolvers<WindowService>();
  const show = createShow({ starting: service.promise, icon: '/icon.png', log: logged().log, asks, quit });
  return { service, show, window: () => made.windows.at(-1) as FakeWindow };
}

const SERVICE: WindowService = {
  owner: {
    account_id: 'a',
    permissions: new Set(),
    project_ids: null,
    key_id: null,
    by: { kind: 'window', name: 'tester' },
  },
  openWindow: () => ({ receive: () => {}, close: () => {} }),
};

test('the window is there before the service, visible without ready-to-show, and says that it starts', async () => {
  const { service, show, window } = starting();
  const shown = show();
  await settled();
  expect([window().loaded, window().seen]).toEqual([['app://fieldbench/starting'], ['show']]);
  service.resolve(SERVICE);
  await shown;
  expect(window().loaded).toEqual(['app://fieldbench/starting', 'app://fieldbench/']);
});

test('a service that does not start is told to whoever opened the window', async () => {
  const { service, show } = starting();
  service.reject(new Error('port busy'));
  await expect(show()).rejects.toThrow('port busy');
});

test('who closes the window while the app starts gets no other, and no error', async () => {
  const { service, show, window } = starting();
  const shown = show();
  await settled();
  window().destroy();
  service.resolve(SERVICE);
  await shown;
  expect(window().loaded).toEqual(['app://fieldbench/starting']);
});

test('a window that is there is brought to the front, out of the taskbar too', async () => {
  const { service, show, window } = starting();
  service.resolve(SERVICE);
  await show();
  await show();
  window().minimized = true;
  await show();
  expect(made.windows).toHaveLength(1);
  expect(window().seen).toEqual(['show', 'show', 'focus', 'restore', 'show', 'focus']);
});

test('its page has no Node, no spelling from the internet, and goes on in the background', async () => {
  const { service, show, window } = starting();
  service.resolve(SERVICE);
  await show();
  expect(window().options).toMatchObject({
    icon: '/icon.png',
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
      backgroundThrottling: false,
    },
  });
});

/** Has the page of a window ask for another one. */
async function another(from: FakeWindow): Promise<void> {
  const mainFrame = { url: 'app://fieldbench/' };
  Object.assign(from.webContents, { mainFrame });
  from.webContents.ipc.emit(WINDOW_CHANNEL, { senderFrame: mainFrame }, '#/api-keys');
  await settled();
}

test('a further window lies a step beside the one it was opened from, and within the screen', async () => {
  const { service, show, window } = starting();
  service.resolve(SERVICE);
  await show();
  const places: unknown[] = [];
  for (let n = 0; n < 12; n++) {
    await another(window());
    const { x, y } = window().getBounds();
    places.push([x, y]);
    expect([x + 1280 <= 1920, y + 800 <= 1080]).toEqual([true, true]);
  }
  expect(places.slice(0, 3)).toEqual([
    [352, 172],
    [384, 204],
    [416, 236],
  ]);
  expect(window().options).not.toHaveProperty('windowStatePersistence');
});

test('on a small screen no part of a window lies behind its bars', async () => {
  const { workArea } = made;
  // 1920 by 1080 pixels at 150 %, with a taskbar.
  made.workArea = { x: 0, y: 0, width: 1280, height: 672 };
  const { service, show, window } = starting();
  service.resolve(SERVICE);
  await show();
  expect(window().options).toMatchObject({ width: 1280, height: 672 });
  await another(window());
  expect(window().options).toMatchObject({ x: 0, y: 0, width: 1280, height: 672 });
  made.workArea = workArea;
});

test('what is brought to the front is the window that was used last', async () => {
  const { service, show } = starting();
  service.resolve(SERVICE);
  await show();
  const [first] = made.windows as [FakeWindow];
  await another(first);
  await another(first);
  const [, second, third] = made.windows as [FakeWindow, FakeWindow, FakeWindow];
  second.emit('focus');
  await show();
  expect([first, second, third].map(({ seen }) => seen.includes('focus'))).toEqual([false, true, false]);
  second.destroy();
  await show();
  expect(third.seen).toContain('focus');
});

test('who asks for the app gets the hidden windows back, and the one used last in front', async () => {
  made.windows.length = 0;
  const said: string[] = [];
  const used: unknown[] = [];
  const show = createShow({
    starting: Promise.resolve(SERVICE),
    icon: '/icon.png',
    log: logged().log,
    asks,
    quit,
    used: (contents) => used.push(contents),
    bringBack: () => said.push('back'),
  });
  await show();
  const [first] = made.windows as [FakeWindow];
  await another(first);
  const [, second] = made.windows as [FakeWindow, FakeWindow];
  first.focus();
  expect([said, used]).toEqual([[], [first, second, first].map(({ webContents }) => webContents)]);
  first.seen.length = 0;
  first.show = () => said.push('front');
  await show();
  expect(said).toEqual(['back', 'front']);
});

test('a page that crashes while it is loaded is told by its own question alone, and opened again as far as it was', async () => {
  const { service, show, window } = starting();
  const shown = show();
  await settled();
  window().crash();
  service.resolve(SERVICE);
  await shown;
  expect(window().loaded).toEqual(['app://fieldbench/starting']);
  made.answer(0);
  await settled();
  expect(window().loaded).toEqual([
    'app://fieldbench/starting',
    'app://fieldbench/starting',
    'app://fieldbench/',
  ]);
});
