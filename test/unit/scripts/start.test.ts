import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findOpener, valueOf } from '../../../scripts/lib/browser-console.mjs';
import { findElectron, runWhileGrowing, whyNoWindow } from '../../../scripts/lib/electron.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fieldbench-start-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** An empty program in the test's folder. */
async function program(...names: string[]): Promise<string> {
  const file = path.join(folder, ...names);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '');
  await chmod(file, 0o755);
  return file;
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('aborted')));

describe('whether a window can open', () => {
  const display = { DISPLAY: ':0' };

  test('says why not on Linux without a display, and for root', () => {
    expect(whyNoWindow({ platform: 'linux', env: {}, uid: 1000 })).toContain('DISPLAY and WAYLAND_DISPLAY');
    expect(whyNoWindow({ platform: 'linux', env: display, uid: 0 })).toContain('root');
  });

  test('is content with either kind of display, and elsewhere without one', () => {
    expect(whyNoWindow({ platform: 'linux', env: display, uid: 1000 })).toBeNull();
    expect(whyNoWindow({ platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' }, uid: 1000 })).toBeNull();
    expect(whyNoWindow({ platform: 'darwin', env: {}, uid: 501 })).toBeNull();
    expect(whyNoWindow({ platform: 'win32', env: {}, uid: -1 })).toBeNull();
  });
});

describe.runIf(process.platform === 'linux')('where Electron is looked for', () => {
  test('takes the named program, then the named folder, then its package', async () => {
    const named = await program('named');
    const overriding = await program('override', 'electron');
    const own = await program('package', 'dist', 'electron');
    await writeFile(path.join(folder, 'package', 'path.txt'), 'electron');
    const home = path.join(folder, 'package');
    const override = { ELECTRON_OVERRIDE_DIST_PATH: path.dirname(overriding) };
    expect(findElectron({ ...override, ELECTRON_EXEC_PATH: named }, home)).toBe(named);
    expect(findElectron(override, home)).toBe(overriding);
    expect(findElectron({}, home)).toBe(own);
  });

  test('finds none in a package whose download broke off, or under a name that is not there', async () => {
    await program('package', 'dist', 'electron');
    expect(findElectron({}, path.join(folder, 'package'))).toBeNull();
    expect(findElectron({ ELECTRON_EXEC_PATH: path.join(folder, 'none') }, folder)).toBeNull();
  });
});

describe('the patience with a download', () => {
  test('ends when nothing arrives', async () => {
    expect(await runWhileGrowing([folder], 100, untilAborted)).toBe('aborted');
  });

  test('lasts as long as something does', async () => {
    const file = path.join(folder, 'part');
    const slowly = async (signal: AbortSignal) => {
      for (let part = 0; part < 20; part++) {
        await appendFile(file, 'x');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return signal.aborted ? 'aborted' : 'whole';
    };
    expect(await runWhileGrowing([path.join(folder, 'not-there'), folder], 500, slowly)).toBe('whole');
  });
});

describe('the flags of npm start', () => {
  test('are read in both spellings, the last one counting', () => {
    expect(valueOf(['--data', 'a', '--ready-file', 'f'], '--ready-file')).toBe('f');
    expect(valueOf(['--ready-file=f', '--ready-file=g=h'], '--ready-file')).toBe('g=h');
    expect(valueOf(['--data', 'a'], '--ready-file')).toBeUndefined();
  });
});

describe('the browser', () => {
  test('is opened without a shell, which would read the address', () => {
    expect(findOpener({ platform: 'darwin', env: {} })).toEqual({ command: 'open', args: [] });
    expect(findOpener({ platform: 'win32', env: {} })?.command).toBe('rundll32');
  });

  test.runIf(process.platform === 'linux')('is left alone where no one would see it', async () => {
    await program('bin', 'xdg-open');
    const PATH = path.join(folder, 'bin');
    expect(findOpener({ platform: 'linux', env: { PATH, DISPLAY: ':0' } })).toEqual({
      command: 'xdg-open',
      args: [],
    });
    expect(findOpener({ platform: 'linux', env: { PATH, BROWSER: 'remote' } })).not.toBeNull();
    expect(findOpener({ platform: 'linux', env: { PATH } })).toBeNull();
    expect(findOpener({ platform: 'linux', env: { PATH: folder, DISPLAY: ':0' } })).toBeNull();
  });
});
