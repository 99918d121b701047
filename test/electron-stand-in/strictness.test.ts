import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkOptions } from './browser-window.ts';
import { Menu } from './desktop/menu.ts';
import { IpcMain } from './ipc-main.ts';
import { Protocol } from './protocol.ts';
import { Session } from './session.ts';

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

test('a menu item needs a label, a role or a type', () => {
  expect(() => Menu.buildFromTemplate([{ label: 'File', submenu: [{}] }])).toThrow('Invalid template');
});
