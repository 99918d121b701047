import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { NativeTheme, WebContents } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tellOfChildren } from '../../../electron/shell/page/children.ts';
import { OpenedFiles } from '../../../electron/shell/page/opened-files.ts';
import { keepTheme } from '../../../electron/shell/page/theme.ts';
import { showHelp } from '../../../electron/shell/start/help.ts';
import { loginSetting } from '../../../electron/shell/start/login.ts';
import { openFilesOfMac } from '../../../electron/shell/start/open-file.ts';
import { FakeApp, logged, preventable } from './fakes.ts';

/* What the system does with the app, and it with the system. */

const raised = vi.hoisted(() => ({ pages: [] as object[] }));
/** No window has the focus: another program has it when the system hands a file over. */
vi.mock('electron', () => ({
  BrowserWindow: {
    fromWebContents: (page: object) => ({
      isMinimized: () => false,
      show: () => {},
      focus: () => raised.pages.push(page),
    }),
  },
}));

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fieldbench-system-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the ends of Chromium’s processes are logged, but for those that ended as they should', () => {
  const app = new EventEmitter();
  const { lines, log } = logged();
  tellOfChildren(app, log);
  app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 139 });
  app.emit(
    'child-process-gone',
    {},
    { type: 'Utility', name: 'Network Service', reason: 'oom', exitCode: 1 },
  );
  app.emit(
    'child-process-gone',
    {},
    { type: 'Utility', name: 'Audio Service', reason: 'clean-exit', exitCode: 0 },
  );
  expect(lines).toEqual([
    `Chromium's process "GPU" (GPU) ended: crashed, exit code 139.`,
    `Chromium's process "Network Service" (Utility) ended: oom, exit code 1.`,
  ]);
});

test('the theme that a page has chosen is the frame’s, and that of the next start', () => {
  const { lines, log } = logged();
  const first = { themeSource: 'system' } as NativeTheme;
  keepTheme(first, folder, log)('dark');
  const next = { themeSource: 'system' } as NativeTheme;
  keepTheme(next, folder, log);
  expect([first.themeSource, next.themeSource]).toEqual(['dark', 'dark']);
  writeFileSync(join(folder, 'theme'), 'neon');
  const odd = { themeSource: 'system' } as NativeTheme;
  keepTheme(odd, folder, log);
  expect([odd.themeSource, lines]).toEqual(['system', []]);
});

/**
 * The entries that a system has for programs that start with a login. Of their words only those that are no switches are
 * told (electron/shell/browser/browser_win.cc).
 */
function logins(isPackaged = true) {
  type Entry = { name: string; args: readonly string[] };
  const set: (Entry & { openAtLogin: boolean })[] = [];
  let entries: Entry[] = [];
  const app = {
    isPackaged,
    getLoginItemSettings: () =>
      ({
        openAtLogin: entries.some(({ name }) => name === ''),
        launchItems: entries.map(({ name, args }) => ({
          name,
          args: args.filter((arg) => !arg.startsWith('-')),
          enabled: true,
        })),
      }) as never,
    setLoginItemSettings({ openAtLogin = false, args = [], name = '' }) {
      set.push({ openAtLogin, args, name });
      entries = entries.filter((entry) => entry.name !== name);
      if (openAtLogin) entries.push({ name, args });
    },
  };
  return { app, set };
}

const PLAIN = { flags: [], key: 'k' };

test('an app that is not installed, or on Linux, does not offer to open at login', () => {
  expect([
    loginSetting(logins().app, PLAIN, 'linux'),
    loginSetting(logins(false).app, PLAIN, 'win32'),
  ]).toEqual([null, null]);
  const { app, set } = logins();
  loginSetting(app, PLAIN, 'darwin')?.set(true);
  expect([loginSetting(app, PLAIN, 'darwin')?.isOn, set]).toEqual([
    true,
    [{ openAtLogin: true, args: [], name: '' }],
  ]);
});

test('an app over a data directory of its own opens at login over that one, wherever it was started', () => {
  const { app, set } = logins();
  const rig = { flags: ['--data', './rig 7', '--ready-file=r.json', '--port', '0'], key: 'rig7' };
  expect(loginSetting(app, rig, 'win32')?.isOn).toBe(false);
  loginSetting(app, rig, 'win32')?.set(true);
  expect(set).toEqual([
    {
      openAtLogin: true,
      args: ['--data', resolve('rig 7'), `--ready-file=${resolve('r.json')}`, '--port', '0'],
      name: 'Fieldbench rig7',
    },
  ]);
  expect(loginSetting(app, rig, 'win32')?.isOn).toBe(true);
  // The app over the user's own folder has not been asked for.
  expect(loginSetting(app, PLAIN, 'win32')?.isOn).toBe(false);
  // A Mac starts an app without a word.
  expect(loginSetting(app, rig, 'darwin')).toBeNull();
});

test.each([
  ['win32', true, 1],
  ['win32', false, 0],
  ['linux', true, 0],
] as const)('on %s, installed: %s, --help is said in %i boxes', async (platform, isPackaged, boxes) => {
  const app = new FakeApp();
  app.ready = false;
  app.isPackaged = isPackaged;
  const said: string[] = [];
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const dialog = {
    showMessageBox: (...args: unknown[]) => {
      expect(app.ready).toBe(true);
      app.asked.push(['box', (args.at(-1) as { detail: string }).detail]);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    },
  };
  await showHelp(app, dialog, platform);
  written.mockRestore();
  const shown = app.asked.flatMap(([what, text]) => (what === 'box' ? [String(text)] : []));
  expect(shown).toHaveLength(boxes);
  expect([...shown, ...said].join()).toContain('--data DIR');
  expect(app.asked.at(-1)).toEqual(['exit', 0]);
});

/** A page that takes files. */
function taker() {
  const sent: { name: string; url: string }[][] = [];
  const contents = Object.assign(new EventEmitter(), {
    isDestroyed: () => false,
    send: (_channel: string, files: { name: string; url: string }[]) => void sent.push(files),
  });
  return { contents: contents as unknown as WebContents, sent, close: () => contents.emit('destroyed') };
}

test('files that the system gives the app wait for a page, go to the one used last, and to it alone', () => {
  const [a = '', b = '', c = ''] = ['a.csv', 'b.csv', 'c.csv'].map((name) => join(folder, name));
  for (const path of [a, b, c]) writeFileSync(path, '');
  const opened = new OpenedFiles();
  opened.add([a]);
  const [first, second] = [taker(), taker()];
  opened.take(first.contents, true);
  opened.take(second.contents, true);
  expect([first.sent, second.sent]).toEqual([
    [[expect.objectContaining({ name: 'a.csv', url: './opened/0' })]],
    [],
  ]);
  opened.use(first.contents);
  opened.add([b]);
  first.close();
  expect(raised.pages).toEqual([]);
  opened.add([c]);
  expect([first.sent.length, second.sent.map(([file]) => file?.name)]).toEqual([2, ['c.csv']]);
  // Not the window that comes up by itself: whoever handed the file over would not see what becomes of it.
  expect(raised.pages).toEqual([second.contents]);
  // By their numbers alone are they read.
  expect([opened.pathOf('opened/1'), opened.pathOf('opened/7'), opened.pathOf(`opened/../${b}`)]).toEqual([
    b,
    null,
    null,
  ]);
});

test('a file that is gone keeps back none of the others, and its page finds out', () => {
  const [gone, there] = [join(folder, 'gone.csv'), join(folder, 'there.csv')];
  writeFileSync(there, '');
  const opened = new OpenedFiles();
  const page = taker();
  opened.take(page.contents, true);
  opened.add([gone, there]);
  expect(page.sent.flat().map(({ name }) => name)).toEqual(['gone.csv', 'there.csv']);
});

test('pages that look at another service say what is not taken, where no other page takes it', () => {
  const [a, b, c] = ['a.csv', 'b.csv', 'c.csv'].map((name) => join(folder, name)) as [string, string, string];
  const opened = new OpenedFiles();
  const [elsewhere, own] = [taker(), taker()];
  opened.take(elsewhere.contents, false);
  opened.use(elsewhere.contents);
  opened.add([a]);
  opened.take(own.contents, true);
  opened.add([b]);
  own.close();
  opened.add([c]);
  const told = ({ sent }: ReturnType<typeof taker>) => sent.flat().map(({ name }) => name);
  expect([told(elsewhere), told(own)]).toEqual([['a.csv', 'c.csv'], ['b.csv']]);
});

test('a Mac’s file is opened by the app, and by nothing else', () => {
  const app = new EventEmitter();
  const opened: string[] = [];
  openFilesOfMac(app, (paths) => opened.push(...paths));
  const event = preventable();
  app.emit('open-file', event, '/rig/a.csv');
  expect([opened, event.prevented]).toEqual([['/rig/a.csv'], true]);
});
