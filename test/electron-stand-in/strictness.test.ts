import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { menuTemplate } from '../../electron/shell/menu.ts';
import { checkOptions } from './browser-window.ts';
import { createDialog, UNSEEN } from './desktop/dialog.ts';
import { followDownloads } from './desktop/downloads.ts';
import { Menu, type MenuItem } from './desktop/menu.ts';
import { nativeTheme } from './desktop/native-theme.ts';
import { IpcMain } from './ipc-main.ts';
import { Protocol } from './protocol.ts';
import { Session } from './session.ts';
import type { Session as CdpSession } from './chromium.ts';

const preload = fileURLToPath(new URL('./fixture/preload.cjs', import.meta.url));

describe('a window', () => {
  test('opens with the settings of a secure app', () => {
    const webPreferences = { preload, sandbox: true, contextIsolation: true, spellcheck: false };
    expect(() => checkOptions({ name: 'main', windowStatePersistence: true, webPreferences })).not.toThrow();
  });

  test.each([
    ['sandbox', false],
    ['contextIsolation', false],
    ['webSecurity', false],
    ['nodeIntegration', true],
    ['nodeIntegrationInSubFrames', true],
    ['webviewTag', true],
    ['enableBlinkFeatures', 'X'],
  ])('refuses %s: %s', (setting, value) => {
    expect(() => checkOptions({ webPreferences: { [setting]: value } })).toThrow(`webPreferences.${setting}`);
  });

  test('refuses a preload that a sandbox could not load', () => {
    expect(() => checkOptions({ webPreferences: { preload: 'preload.cjs' } })).toThrow('absolute path');
    expect(() => checkOptions({ webPreferences: { preload: '/nowhere/preload.cjs' } })).toThrow(
      'Unable to load',
    );
    expect(() => checkOptions({ webPreferences: { preload: '/any/preload.mjs' } })).toThrow('ESM preload');
  });

  test('reaches for no dictionary on the internet', () => {
    expect(() => checkOptions({ webPreferences: {} })).toThrow('spellcheck must be false');
  });

  test('remembers where it was by its name only', () => {
    expect(() =>
      checkOptions({ windowStatePersistence: true, webPreferences: { spellcheck: false } }),
    ).toThrow('without a name');
  });
});

test.each([
  ['by a debugger, which gives it no name', '/tmp/artifacts/7f', ['will-download', 'completed']],
  ['by nobody: a person is asked, and it does not end', '/home/a/Downloads/a.csv', ['will-download']],
])('where a download goes is decided %s', async (_how, filePath, expected) => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const browser = Object.assign(new EventEmitter(), { send: () => Promise.resolve() });
  const heard: string[] = [];
  await followDownloads(
    browser as unknown as CdpSession,
    (frameId) => frameId === 'own',
    (item) => {
      heard.push('will-download');
      item.once('done', (_event, state: string) => void heard.push(state));
    },
  );
  browser.emit('Browser.downloadWillBegin', {
    guid: '7f',
    frameId: 'own',
    url: 'blob:1',
    suggestedFilename: 'a.csv',
  });
  browser.emit('Browser.downloadProgress', { guid: '7f', state: 'completed', filePath });
  expect(heard).toEqual(expected);
  expect(said.mock.calls).toEqual(heard.length === 1 ? [['a person is asked where to save a.csv\n']] : []);
});

describe('a scheme of the app', () => {
  const privileges = { standard: true, secure: true };

  test('is registered before the app is ready, once, and served after', async () => {
    let ready = false;
    const protocol = new Protocol(() => ready);
    protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }]);
    expect(() => protocol.registerSchemesAsPrivileged([])).toThrow('only once');
    expect(() => protocol.handle('app', () => new Response())).toThrow('after app is ready');
    ready = true;
    expect(() => protocol.registerSchemesAsPrivileged([])).toThrow('before app is ready');
    expect(() => protocol.handle('other', () => new Response())).toThrow('other:');
    protocol.handle('app', ({ url }) => new Response(url));
    expect(() => protocol.handle('app', () => new Response())).toThrow('Failed to register');
    expect(await (await protocol.respond('app://x/a?b', 'GET', {}))?.text()).toBe('app://x/a?b');
    expect(await protocol.respond('https://example.com/', 'GET', {})).toBeNull();
  });

  test('must be standard and secure', () => {
    const protocol = new Protocol(() => false);
    expect(() =>
      protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true } }]),
    ).toThrow('secure');
  });

  test('has a name in Chromium and back', () => {
    const protocol = new Protocol(() => false);
    protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }]);
    const inChromium = protocol.toChromium('app://fieldbench/a/b?c#d');
    expect(new URL(inChromium).protocol).toBe('https:');
    expect(protocol.fromChromium(inChromium)).toBe('app://fieldbench/a/b?c#d');
    for (const url of ['https://example.com/', 'https://a.other.invalid/', 'about:blank']) {
      expect(protocol.fromChromium(protocol.toChromium(url))).toBe(url);
    }
  });
});

test('permissions need both handlers, and are granted where there is none', async () => {
  const session = new Session();
  const allows = (permission: string) => session.allows(null, permission, 'app://fieldbench/');
  expect(await allows('media')).toBe(true);
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(true));
  session.setPermissionCheckHandler((_contents, permission) => permission === 'midi');
  expect(await allows('media')).toBe(false);
  expect(await allows('midi')).toBe(true);
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  expect(await allows('midi')).toBe(false);
});

test('a channel has one handler', () => {
  const ipc = new IpcMain();
  ipc.handle('a', () => 1);
  expect(() => ipc.handle('a', () => 2)).toThrow("second handler for 'a'");
});

test('a menu item needs a label, a role or a type, and a role and a key that Electron knows', () => {
  const build = (item: object) => () => Menu.buildFromTemplate([{ label: 'File', submenu: [item] }]);
  expect(build({})).toThrow('Invalid template');
  expect(build({ role: 'leave' })).toThrow('Unknown role: leave');
  expect(build({ label: 'X', accelerator: 'Ctrl+Nowhere' })).toThrow('Invalid accelerator');
  expect(build({ role: 'zoomIn', accelerator: 'CommandOrControl+numadd' })).not.toThrow();
});

/** The zoom after a key of the app's menu, whose virtual key code a page hears. */
function zoomAfter(template: readonly MenuItem[], keyCode: number, shift: boolean): number {
  const contents = { zoomLevel: 0, reload: () => {} };
  const at = { app: { quit: () => {} }, window: { close: () => {} }, contents };
  Menu.buildFromTemplate(template).press({ keyCode, control: true, shift, alt: false, meta: false }, at);
  return contents.zoomLevel;
}

test('a role’s own key for larger is Plus, with Shift, as in Electron', () => {
  const own = [{ label: 'View', submenu: [{ role: 'zoomIn' }] }];
  expect([zoomAfter(own, 187, true), zoomAfter(own, 187, false), zoomAfter(own, 107, false)]).toEqual([
    0.5, 0, 0,
  ]);
});

test.each([
  ['Ctrl and the key of =', 187, 0.5],
  ['Ctrl and + of the number pad', 107, 0.5],
  ['Ctrl and - of the number pad', 109, -0.5],
  ['Ctrl and -', 189, -0.5],
])('the app’s page is drawn larger and smaller by %s', (_key, keyCode, zoom) => {
  const none = () => {};
  const template = menuTemplate({
    platform: 'linux',
    isPackaged: true,
    openData: none,
    quit: none,
    undo: none,
    help: {
      openDocs: none,
      openLicences: none,
      showLog: none,
      showDumps: none,
      checkForUpdates: null,
      showAbout: none,
    },
    login: null,
  });
  expect(zoomAfter(template as MenuItem[], keyCode, false)).toBe(zoom);
});

test('before the app is ready no question can be asked, and a box is a line that nobody sees', () => {
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  let ready = false;
  const dialog = createDialog(() => ready);
  expect(() => dialog.showMessageBox({ message: '?' })).toThrow('after app is ready');
  dialog.showErrorBox('Title', 'words');
  ready = true;
  dialog.showErrorBox('Title', 'words');
  write.mockRestore();
  expect(said).toEqual([`${UNSEEN}\n`, 'Title\nwords\n', 'Title\nwords\n']);
});

test('the theme of the app is one of three, and is told once', () => {
  let told = 0;
  nativeTheme.on('updated', () => told++);
  nativeTheme.themeSource = 'dark';
  nativeTheme.themeSource = 'dark';
  expect([told, nativeTheme.shouldUseDarkColors]).toEqual([1, true]);
  expect(() => (nativeTheme.themeSource = 'neon' as never)).toThrow('Error processing argument');
});
