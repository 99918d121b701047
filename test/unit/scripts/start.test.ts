import { appendFile, chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findElectron, runWhileGrowing, whyNotOpened, whyNoWindow } from '../../../scripts/lib/electron.mjs';
import { makeTemporary, valueOf, watchReady } from '../../../scripts/lib/ready.mjs';
import { unwritable } from '../../../scripts/lib/project.mjs';
import { whyNoSandbox } from '../../../scripts/lib/sandbox.mjs';

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
  const sandbox = () => null;

  test('says why not on Linux without a display, for root, and without a sandbox', () => {
    const linux = { platform: 'linux', env: display, uid: 1000, sandbox };
    expect(whyNoWindow({ ...linux, env: {} })).toContain('DISPLAY and WAYLAND_DISPLAY');
    expect(whyNoWindow({ ...linux, uid: 0 })).toContain('root');
    expect(whyNoWindow({ ...linux, sandbox: () => 'no sandbox' })).toBe('no sandbox');
  });

  test('is content with either kind of display, and elsewhere without one', () => {
    const user = { uid: 1000, sandbox };
    expect(whyNoWindow({ platform: 'linux', env: display, ...user })).toBeNull();
    expect(whyNoWindow({ platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' }, ...user })).toBeNull();
    expect(whyNoWindow({ platform: 'darwin', env: {}, uid: 501, sandbox })).toBeNull();
    expect(whyNoWindow({ platform: 'win32', env: {}, uid: -1, sandbox })).toBeNull();
  });

  test.each([127, 132, 133, 134, 139])('takes exit code %i before it was ready for "it cannot"', (code) => {
    expect(whyNotOpened(code, false)).toMatch(/^Electron /);
  });

  test('takes no other end for that: a refused start says why itself, a crash later is no reason to start again', () => {
    expect([whyNotOpened(0, false), whyNotOpened(1, false), whyNotOpened(130, false)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(whyNotOpened(133, true)).toBeNull();
  });
});

describe.runIf(process.platform === 'linux')('whether Electron can have a sandbox', () => {
  /** A system with these settings, and a program with or without its helper. */
  async function system(settings: Record<string, string>, profile = '') {
    const paths = { settings: path.join(folder, 'sys'), profiles: path.join(folder, 'apparmor.d') };
    for (const [name, value] of Object.entries(settings)) {
      const file = path.join(paths.settings, ...name.split('.'));
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, `${value}\n`);
    }
    await mkdir(path.join(paths.profiles, 'abi'), { recursive: true });
    await writeFile(path.join(paths.profiles, 'electron'), profile);
    return paths;
  }
  const UBUNTU = { 'kernel.apparmor_restrict_unprivileged_userns': '1', 'user.max_user_namespaces': '31000' };

  test('says on Ubuntu which setting forbids it, and what an administrator can do', async () => {
    const electron = await program('dist', 'electron');
    await program('dist', 'chrome-sandbox');
    const why = whyNoSandbox(electron, await system(UBUNTU));
    expect(why).toContain('kernel.apparmor_restrict_unprivileged_userns is 1');
    expect(why).toContain(`sudo chmod 4755 "${path.join(folder, 'dist', 'chrome-sandbox')}"`);
  });

  test.each([
    ['kernel.unprivileged_userns_clone', '0'],
    ['user.max_user_namespaces', '0'],
  ])('names %s, also before Electron is there', async (name, value) => {
    expect(whyNoSandbox(null, await system({ [name]: value }))).toContain(`${name} is ${value}`);
  });

  test('finds nothing where nothing is forbidden, or nothing is said', async () => {
    const electron = await program('dist', 'electron');
    const open = {
      'kernel.apparmor_restrict_unprivileged_userns': '0',
      'kernel.unprivileged_userns_clone': '1',
    };
    expect(whyNoSandbox(electron, await system(open))).toBeNull();
    const nothing = { settings: path.join(folder, 'none'), profiles: path.join(folder, 'none') };
    expect(whyNoSandbox(electron, nothing)).toBeNull();
  });

  test('is content with a profile that names the program', async () => {
    const electron = await program('dist', 'electron');
    expect(whyNoSandbox(electron, await system(UBUNTU, `profile e ${electron} { userns, }`))).toBeNull();
    expect(
      whyNoSandbox(electron, await system({ 'user.max_user_namespaces': '0' }, electron)),
    ).not.toBeNull();
  });

  test.runIf(process.getuid?.() === 0)(
    "is content with a helper that is root's and runs as root",
    async () => {
      const electron = await program('dist', 'electron');
      const helper = await program('dist', 'chrome-sandbox');
      await chmod(helper, 0o4755);
      const paths = await system(UBUNTU);
      expect(whyNoSandbox(electron, paths)).toBeNull();
      await chown(helper, 65_534, 65_534);
      await chmod(helper, 0o4755);
      expect(whyNoSandbox(electron, paths)).not.toBeNull();
    },
  );
});

describe('whether a start came to be ready', () => {
  test('is told by the ready file: the named one, or one of its own', async () => {
    const readyFile = path.join(folder, 'ready.json');
    const ready: string[] = [];
    const named = await watchReady(
      ['--ready-file', readyFile],
      async (flags) => {
        await writeFile(readyFile, JSON.stringify({ pid: 1 }));
        return flags;
      },
      () => ready.push('once'),
    );
    expect(named).toEqual({ result: ['--ready-file', readyFile], wasReady: true });
    expect(ready).toEqual(['once']);

    const own = await watchReady(['--strict'], async (flags) => {
      await writeFile(flags.at(-1) ?? '', JSON.stringify({ pid: 2 }));
      return flags.slice(0, -1);
    });
    expect(own).toEqual({ result: ['--strict', '--ready-file'], wasReady: true });
  });

  test('is not believed of a file that a killed service left', async () => {
    const readyFile = path.join(folder, 'ready.json');
    await writeFile(readyFile, JSON.stringify({ pid: 1 }));
    expect(await watchReady([`--ready-file=${readyFile}`], () => Promise.resolve(133))).toEqual({
      result: 133,
      wasReady: false,
    });
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

describe('a folder that cannot be written to', () => {
  test('is no reason not to start where there is another for temporary files, else one sentence', async () => {
    const file = await program('file');
    const other = path.join(folder, 'cache');
    expect(path.dirname(makeTemporary([path.join(file, 'tmp'), other]))).toBe(other);
    expect(() => makeTemporary([path.join(file, 'tmp')])).toThrow(/^there is no folder .* set TMPDIR/);
  });

  test('is told with what to do, and any other error is a bug that keeps its stack', () => {
    const failed = (code: string) =>
      Object.assign(new Error(`${code}: words of the system, open '/x'`), { code });
    expect(unwritable(failed('EROFS'))).toMatch(/^EROFS: .*'\/x': give this user the right .* try again\.$/);
    expect(unwritable(failed('ENOSPC'))).toContain('free some space');
    expect(unwritable(failed('ENOENT'))).toBeNull();
    expect(unwritable(new TypeError('x is undefined'))).toBeNull();
  });
});
