import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { WindowService } from '../../../electron/shell/page/ipc.ts';
import { createShow } from '../../../electron/shell/window.ts';
import { logged, settled } from './fakes.ts';

const made = vi.hoisted(() => ({ windows: [] as object[] }));

/** A window that never says it is ready to show, as hidden ones on Wayland do not. */
vi.mock('electron', () => ({
  app: {},
  dialog: {},
  nativeTheme: { shouldUseDarkColors: false, on: () => {}, off: () => {} },
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

  focus(): void {
    this.seen.push('focus');
  }

  restore(): void {
    this.seen.push('restore');
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

function starting() {
  made.windows.length = 0;
  const service = Promise.withResolvers<WindowService>();
  const show = createShow({ starting: service.promise, icon: '/icon.png', log: logged().log });
  return { service, show, window: () => made.windows.at(-1) as FakeWindow };
}

const SERVICE: WindowService = {
  owner: { account_id: 'a', permissions: new Set(), project_ids: null, key_id: null },
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
