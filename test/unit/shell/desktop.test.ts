import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { BrowserWindow, MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { APP_USER_MODEL_ID, introduce } from '../../../electron/shell/start/identity.ts';
import type { HelpItems } from '../../../electron/shell/help/help-items.ts';
import { menuTemplate } from '../../../electron/shell/menu.ts';
import { openFolder } from '../../../electron/shell/open-folder.ts';
import { helpWithTrouble } from '../../../electron/shell/page/page-trouble.ts';
import { startingPage } from '../../../electron/shell/page/starting-page.ts';
import { FakeApp, logged, settled } from './fakes.ts';

const none = () => {};
const HELP: HelpItems = {
  openDocs: none,
  openLicences: none,
  showLog: none,
  showDumps: none,
  checkForUpdates: null,
  showAbout: none,
};

const template = (platform: NodeJS.Platform, isPackaged = true, help = HELP) =>
  menuTemplate({
    platform,
    isPackaged,
    openData: none,
    quit: none,
    undo: none,
    help,
    login: null,
  });

const labels = (items: readonly MenuItemConstructorOptions[]) =>
  items.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu.map(({ label }) => label) : []));

const roles = (items: readonly MenuItemConstructorOptions[]): string[] =>
  items.flatMap((item) => [
    ...(item.role === undefined ? [] : [item.role]),
    ...(Array.isArray(item.submenu) ? roles(item.submenu) : []),
  ]);

test.each([
  ['linux', '&Quit'],
  ['win32', 'E&xit'],
] as const)('on %s the app is left and described from its menus', (platform, label) => {
  expect(roles(template(platform))).toEqual(expect.arrayContaining(['help', 'editMenu']));
  expect(labels(template(platform))).toContain('&About Fieldbench');
  // Electron's own item would leave without a question.
  expect(roles(template(platform))).not.toEqual(expect.arrayContaining(['quit']));
  expect(labels(template(platform))).toContain(label);
  expect(roles(template(platform))).not.toContain('appMenu');
});

test('on a Mac the app’s own menu does that, and File closes the window', () => {
  const mac = roles(template('darwin'));
  expect(mac).toEqual(expect.arrayContaining(['appMenu', 'close', 'windowMenu', 'editMenu', 'help']));
  expect(mac).not.toContain('quit');
  const [appMenu] = template('darwin');
  expect(labels(appMenu ? [appMenu] : [])).toEqual(
    expect.arrayContaining(['&About Fieldbench', 'Quit Fieldbench']),
  );
});

test.each(['linux', 'win32', 'darwin'] as const)(
  'on %s data, log and crash dumps are found from the menu, and an installed app has no tools of those who make it',
  (platform) => {
    expect(labels(template(platform))).toContain('Open Data &Folder');
    const help = template(platform).filter(({ role }) => role === 'help');
    expect(labels(help)).toEqual(
      expect.arrayContaining(['Fieldbench &Documentation', 'Show &Log', 'Show &Crash Dumps']),
    );
    // Where no feed is set, nothing offers to ask one.
    expect(labels(help)).not.toContain('Check for &Updates…');
    const withFeed = template(platform, true, { ...HELP, checkForUpdates: none });
    expect(labels(withFeed)).toContain('Check for &Updates…');
    expect(roles(template(platform))).not.toContain('toggleDevTools');
    expect(roles(template(platform, false))).toEqual(expect.arrayContaining(['toggleDevTools', 'reload']));
  },
);

test('a folder that the system cannot show is told, with where it is', async () => {
  const told: string[] = [];
  const dialog = {
    showMessageBox: (...args: unknown[]) => {
      const { message, detail } = args.at(-1) as { message: string; detail: string };
      told.push(message, detail);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    },
  };
  const answers = ['', 'Failed to open path'];
  const shell = { openPath: () => Promise.resolve(answers.shift() ?? '') };
  await openFolder('/rig', 'data', { shell, dialog });
  expect(told).toEqual([]);
  await openFolder('/rig', 'data', { shell, dialog });
  expect(told).toEqual([
    'The system could not show the folder of data.',
    'It is /rig\n\nFailed to open path',
  ]);
});

test('Windows knows the app by a name of its own; the other two are not told', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const app = new FakeApp();
    introduce(app, platform);
    const named = app.asked.filter(([what]) => what === 'model id');
    expect(named).toEqual(platform === 'win32' ? [['model id', APP_USER_MODEL_ID]] : []);
    expect(app.asked).toContainEqual(['name', 'Fieldbench']);
  }
  // CompanyName.ProductName, at most 128 letters, no spaces (learn.microsoft.com, "Application User Model IDs").
  expect(APP_USER_MODEL_ID).toMatch(/^[A-Za-z0-9]+\.[A-Za-z0-9]+$/);
});

test('Linux finds the app’s desktop file by its name, and a window has an icon', () => {
  const root = new URL('../../../', import.meta.url);
  const { desktopName } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    desktopName: string;
  };
  expect(desktopName).toBe('fieldbench.desktop');
  const png = readFileSync(new URL('renderer/public/icon.png', root));
  expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
    'PNG',
    256,
    256,
  ]);
});

test('the page before the app’s needs no script, and says what may be waited for', () => {
  const waiting = startingPage({ isKeychain: true });
  expect(waiting).toMatch(/keychain.*--vault file/);
  expect(waiting).not.toContain('<script');
  expect(startingPage({ isKeychain: false })).not.toContain('keychain');
});

/** A window's trouble, and the button that is pressed. */
function troubled(response: number, { visible = true } = {}) {
  const app = new FakeApp();
  const { lines, log } = logged();
  const signals: (AbortSignal | undefined)[] = [];
  const waysOut: number[] = [];
  const webContents = Object.assign(new EventEmitter(), {
    forcefullyCrashRenderer: () => {
      app.asked.push(['crash']);
      webContents.emit('render-process-gone', {}, { reason: 'killed' });
    },
  });
  const window = Object.assign(new EventEmitter(), {
    webContents,
    isDestroyed: () => false,
    isVisible: () => visible,
  });
  const dialog = {
    showMessageBox: (...args: unknown[]) => {
      const { message, signal, cancelId } = args.at(-1) as {
        message: string;
        signal?: AbortSignal;
        cancelId: number;
      };
      app.asked.push(['ask', message, args.length]);
      signals.push(signal);
      waysOut.push(cancelId);
      return Promise.resolve({ response, checkboxChecked: false });
    },
  };
  const reopen = () => void app.asked.push(['reopen']);
  helpWithTrouble(window as unknown as BrowserWindow, { quit: () => app.quit(), dialog, log, reopen });
  return { app, lines, window, webContents, signals, waysOut };
}

test.each([
  [0, ['reopen']],
  [1, ['quit']],
] as const)('a page that crashed is opened again or the app quits: button %i', async (button, asked) => {
  const { app, lines, webContents } = troubled(button);
  webContents.emit('render-process-gone', {}, { reason: 'oom' });
  await settled();
  expect(app.asked).toEqual([['ask', 'The window stopped working.', 2], asked]);
  expect(lines).toEqual(["The window's page ended: oom"]);
});

test('who turns away from a page that crashed ends no service, and one that is kept comes back with the page', async () => {
  const { app, window, webContents, waysOut } = troubled(1);
  webContents.emit('render-process-gone', {}, { reason: 'oom' });
  await settled();
  // Escape, or a click on the box's own ✕, is the other button.
  expect(waysOut).toEqual([0]);
  window.emit('show');
  expect(app.asked.slice(1)).toEqual([['quit'], ['reopen']]);
});

test('a page that ends as it should asks nobody', async () => {
  const { app, webContents } = troubled(0);
  webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
  await settled();
  expect(app.asked).toEqual([]);
});

test('a question hangs on no hidden window', async () => {
  const { app, webContents } = troubled(0, { visible: false });
  webContents.emit('render-process-gone', {}, { reason: 'oom' });
  await settled();
  expect(app.asked[0]).toEqual(['ask', 'The window stopped working.', 1]);
});

test('a page that does not answer may be waited for, or opened again', async () => {
  const waited = troubled(0);
  waited.window.emit('unresponsive');
  await settled();
  expect(waited.app.asked).toEqual([['ask', 'The window does not answer.', 2]]);
  const lost = troubled(1);
  lost.window.emit('unresponsive');
  await settled();
  expect(lost.app.asked.map(([what]) => what)).toEqual(['ask', 'crash', 'reopen']);
});

test('the question goes when the page answers again', async () => {
  const { window, signals } = troubled(0);
  window.emit('unresponsive');
  window.emit('responsive');
  await settled();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});
