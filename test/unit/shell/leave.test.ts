import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { expect, test } from 'vitest';
import { createLeave } from '../../../electron/shell/end/leave.ts';
import { FakeApp, logged, preventable, settled } from './fakes.ts';

const KEEP = 0;
const STOP = 1;

/** A window as on Windows, where one that is minimised is not visible (electron/shell/browser/native_window_views.cc, IsVisible). */
class FakeWindow extends EventEmitter {
  visible = true;
  minimized = false;
  /** Files that its page sends or gets. */
  files = 0;

  isVisible(): boolean {
    return this.visible && !this.minimized;
  }

  showInactive(): void {
    this.visible = true;
    this.emit('show');
  }

  isDestroyed(): boolean {
    return false;
  }

  hide(): void {
    this.visible = false;
  }

  /** What Electron does where a person closes it; whether it closes. */
  close(): boolean {
    const event = preventable();
    this.emit('close', event);
    if (!event.prevented) this.emit('closed');
    return !event.prevented;
  }
}

/** An app with so many windows, and the button that is pressed. */
function leaving(
  underWay: () => Promise<{ sending: number; jobs: number }>,
  {
    button = KEEP,
    windows = 1,
    platform = 'linux',
  }: { button?: number; windows?: number; platform?: NodeJS.Platform } = {},
) {
  const app = new FakeApp();
  const { lines, log } = logged();
  const dialog = {
    showMessageBox: (...args: unknown[]) => {
      app.asked.push(['ask', (args.at(-1) as { message: string }).message]);
      return Promise.resolve({ response: button, checkboxChecked: false });
    },
  };
  const hidden = () => void app.asked.push(['tray']);
  const shown = () => void app.asked.push(['no tray']);
  const starting = Promise.resolve({ underWay });
  const leave = createLeave({ app, dialog, log, starting, hidden, shown, platform });
  const open = Array.from({ length: windows }, () => new FakeWindow());
  for (const window of open) leave.heedClose(window as unknown as BrowserWindow, () => window.files);
  return { app, leave, lines, windows: open, first: open[0]! };
}

const idle = () => Promise.resolve({ sending: 0, jobs: 0 });
const busy = () => Promise.resolve({ sending: 3, jobs: 1 });

test('closing the last window quits where nothing is cut off by that', async () => {
  const { app, first } = leaving(idle);
  await settled();
  first.close();
  await settled();
  expect(app.asked).toEqual([['quit']]);
});

test.each([
  [{ sending: 1, jobs: 0 }, '1 device is sending. Stop the service?'],
  [{ sending: 3, jobs: 1 }, '3 devices are sending, and 1 job is under way. Stop the service?'],
  [{ sending: 0, jobs: 2 }, '2 jobs are under way. Stop the service?'],
])('what would be cut off is said: %j', async (underWay, question) => {
  const { app, first } = leaving(() => Promise.resolve(underWay), { button: STOP });
  await settled();
  expect(first.close()).toBe(false);
  await settled();
  expect(app.asked).toEqual([['ask', question], ['quit']]);
});

test('a service that is kept runs without a window, whose page goes on', async () => {
  const { app, first } = leaving(busy);
  await settled();
  expect(first.close()).toBe(false);
  await settled();
  expect([first.visible, app.asked.at(-1)]).toEqual([false, ['tray']]);
});

test('of several windows only the last one is asked about, and all are hidden by the menu’s Quit', async () => {
  const { app, leave, windows } = leaving(busy, { windows: 3 });
  await settled();
  expect(windows[0]?.close()).toBe(true);
  expect(app.asked).toEqual([]);
  leave.quit();
  leave.quit();
  await settled();
  expect(app.asked.map(([what]) => what)).toEqual(['ask', 'tray']);
  expect(windows.slice(1).map(({ visible }) => visible)).toEqual([false, false]);
});

test('a window that is minimised is one that is left: closing another quits nothing, and asks nobody', async () => {
  const { app, windows } = leaving(busy, { windows: 2 });
  await settled();
  windows[1]!.minimized = true;
  expect(windows[0]?.close()).toBe(true);
  await settled();
  expect(app.asked).toEqual([]);
});

test('all windows that were hidden come back, and of them only the last one is asked about again', async () => {
  const { app, leave, windows } = leaving(busy, { windows: 3 });
  await settled();
  leave.quit();
  await settled();
  leave.bringBack();
  expect(windows.map(({ visible }) => visible)).toEqual([true, true, true]);
  expect(app.asked.at(-1)).toEqual(['no tray']);
  app.asked.length = 0;
  expect(windows.slice(0, 2).map((window) => window.close())).toEqual([true, true]);
  expect(windows[2]?.close()).toBe(false);
  await settled();
  expect(app.asked.map(([what]) => what)).toEqual(['ask', 'tray']);
});

test('a quit that began elsewhere, by a signal or the end of a session, asks nobody', async () => {
  const { app, first } = leaving(busy);
  await settled();
  app.emit('before-quit');
  expect(first.close()).toBe(true);
  expect(app.asked).toEqual([]);
});

test.each([
  ['linux', 2],
  ['darwin', 1],
] as const)(
  'on %s a window that others outlive is asked about where it imports',
  async (platform, windows) => {
    const message = '2 files are on the way in this window. Close it?';
    const kept = leaving(busy, { windows, platform });
    await settled();
    kept.first.files = 2;
    expect([kept.first.close(), kept.first.close()]).toEqual([false, false]);
    await settled();
    // Asked once, however often it is clicked, and of the window alone: nothing is stopped.
    expect(kept.app.asked).toEqual([['ask', message]]);
    const closed = leaving(busy, { windows, platform, button: STOP });
    await settled();
    closed.first.files = 2;
    let isClosed = false;
    closed.first.once('closed', () => (isClosed = true));
    expect(closed.first.close()).toBe(false);
    await settled();
    expect([isClosed, closed.app.asked]).toEqual([true, [['ask', message]]]);
  },
);

test('a window that became the last one while it was asked about is asked about as such', async () => {
  const { app, windows, first } = leaving(busy, { windows: 2, button: STOP });
  await settled();
  first.files = 1;
  expect([first.close(), windows[1]?.close()]).toEqual([false, true]);
  await settled();
  expect(app.asked).toEqual([
    ['ask', '1 file is on the way in this window. Close it?'],
    ['ask', '3 devices are sending, and 1 job is under way. Stop the service?'],
    ['quit'],
  ]);
});

test('on a Mac a window is closed, and the app lives on', async () => {
  const { app, first } = leaving(busy, { platform: 'darwin' });
  await settled();
  expect(first.close()).toBe(true);
  expect(app.asked).toEqual([]);
});

test('what cannot be found out keeps nobody from leaving', async () => {
  const { app, lines, first } = leaving(() => Promise.reject(new Error('no database')));
  await settled();
  first.close();
  await settled();
  expect(app.asked).toEqual([['quit']]);
  expect(lines.join()).toContain('no database');
});
