import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FEED_FILE } from '../../electron/shell/help/update-feed.ts';
import { makeTree } from '../../packaging/tree.mjs';
import { makeInstaller } from '../../packaging/windows.mjs';
import { which } from '../../scripts/lib/run.mjs';
import { provideBuild } from '../../scripts/lib/setup.mjs';
import { isLeftOut } from '../helpers/left-out.ts';
import { makeWindowsRuntime } from './runtime.ts';

/*
 * Windows' installer, signed by a certificate of this test and run by Wine, as a user who is no administrator. What Wine does not
 * have and only Windows proves: the id of the shortcut (its property store keeps nothing), SmartScreen, and whether a program that
 * runs can be written to. Of the tools that sign, Windows' own is another one.
 */

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const wine = ['wine64', 'wine'].find((name) => which(name) !== null);
const isHere = !isLeftOut('the installer of Windows', ['makensis'], {
  wine: wine !== undefined,
  'an x64 processor': process.arch === 'x64',
});
const canSign = !isLeftOut('the signature of the installer', ['osslsigncode', 'openssl']);

let folder: string;
let tree: string;
let installer: string;
beforeAll(async () => {
  if (!isHere) return;
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-windows-'));
  await chmod(folder, 0o755);
  await provideBuild();
  if (canSign) await provideCertificate();
  const electronDist = await makeWindowsRuntime(join(folder, 'runtime'));
  // Wine runs programs of 64 bits here, and what ships has 32, as every Windows runs.
  const given = { output: folder, processor: 'x64', date: 1_767_225_600, target: 'amd64-unicode' };
  ({ folder: tree } = await makeTree(
    { system: 'win32', processor: 'x64' },
    {
      work: join(folder, 'work'),
      electronDist,
      finish: async (made, sign) =>
        void (installer = await makeInstaller({ ...given, tree: made.folder, sign })),
    },
  ));
  await run('mkdir', ['-m', '700', join(folder, 'home')]);
  if (isRoot) await run('chown', [`${NOBODY}:${NOBODY}`, join(folder, 'home')]);
  await windows('wineboot', '--init');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  if (!isHere) return;
  await windows('wineboot', '--kill').catch(() => null);
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

/** Has electron-builder sign with a certificate that is its own authority, without asking a server for the time. */
async function provideCertificate(): Promise<void> {
  const [key = '', certificate = '', both = ''] = ['key.pem', 'certificate.pem', 'both.p12'].map((name) =>
    join(folder, name),
  );
  const make =
    'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Test -addext extendedKeyUsage=codeSigning';
  await run('openssl', [...make.split(' '), '-keyout', key, '-out', certificate]);
  const pack = 'pkcs12 -export -passout pass:secret';
  await run('openssl', [...pack.split(' '), '-inkey', key, '-in', certificate, '-out', both]);
  vi.stubEnv('WIN_CSC_LINK', both);
  vi.stubEnv('WIN_CSC_KEY_PASSWORD', 'secret');
  vi.stubEnv('USE_SYSTEM_SIGNCODE', 'true');
  vi.stubEnv('ELECTRON_BUILDER_OFFLINE', 'true');
}

/** Resolves with what a program of Windows says; rejects with its `code`. */
async function windows(...words: string[]): Promise<string> {
  const home = join(folder, 'home');
  const as = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const [first = '', ...rest] = [...as, wine ?? '', ...words];
  const env = {
    HOME: home,
    USER: 'ada',
    PATH: process.env['PATH'] ?? '',
    WINEPREFIX: join(home, 'wine'),
    WINEDEBUG: '-all',
    // Neither .NET nor a browser is asked for.
    WINEDLLOVERRIDES: 'mscoree=;mshtml=',
  };
  return (await run(first, rest, { env, cwd: home })).stdout;
}

const RUN_KEY = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`;
const UNINSTALL_KEY = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Fieldbench`;
const PROGRAMS = String.raw`C:\users\ada\AppData\Local\Programs\Fieldbench`;
const local = () => join(folder, 'home/wine/drive_c/users/ada/AppData/Local');
const programs = (name = '') => join(local(), 'Programs/Fieldbench', name);
const shortcut = () => join(local(), '../Roaming/Microsoft/Windows/Start Menu/Programs/Fieldbench.lnk');

describe.skipIf(!isHere)('the installer of Windows', () => {
  test.skipIf(!canSign)('is signed, as the program in it is', async () => {
    const authority = ['-CAfile', join(folder, 'certificate.pem')];
    for (const file of [installer, join(tree, 'fieldbench.exe')]) {
      const { stdout } = await run('osslsigncode', ['verify', ...authority, '-in', file]);
      expect(stdout, file).toMatch(/Message digest algorithm *: SHA256[^]*Number of verified signatures: 1/);
    }
    await expect(
      run('osslsigncode', ['verify', ...authority, '-in', join(folder, 'runtime/electron.exe')]),
    ).rejects.toMatchObject({ code: 1 });
  });

  test('puts the app and its shortcut into the user’s own folders, and has it in the list of apps', async () => {
    await windows(installer, '/S');
    expect(existsSync(programs('resources/app.asar'))).toBe(true);
    expect(existsSync(shortcut())).toBe(true);
    const listed = await windows('reg', 'query', UNINSTALL_KEY);
    expect(listed).toContain('DisplayName    REG_SZ    Fieldbench');
    expect(listed).toContain(`InstallLocation    REG_SZ    ${PROGRAMS}`);
  });

  test('asks the one before to stop, takes it away whole, and leaves data beside a portable one, and whom to ask for updates', async () => {
    await writeFile(programs('resources/of-the-one-before.dll'), '');
    await mkdir(programs('Data'));
    await writeFile(programs('Data/metadata.json'), '{}');
    await writeFile(programs('fieldbench-portable.txt'), '');
    await writeFile(programs(FEED_FILE), 'https://lab.example.org/newest.json\n');
    await windows(installer, '/S');
    expect(await readFile(join(local(), 'started.txt'), 'utf8')).toMatch(/^"[^"]*fieldbench\.exe" stop\s*$/);
    expect(existsSync(programs('resources/of-the-one-before.dll'))).toBe(false);
    expect(existsSync(programs('resources/app.asar'))).toBe(true);
    expect(existsSync(programs('Data/metadata.json'))).toBe(true);
    expect(await readFile(programs(FEED_FILE), 'utf8')).toContain('https://lab.example.org');
  });

  test('changes nothing where the program cannot be written to, as while it runs, and says so', async () => {
    await chmod(programs('fieldbench.exe'), 0o444);
    await writeFile(programs('resources/stays.txt'), '');
    await expect(windows(installer, '/S')).rejects.toMatchObject({ code: 2 });
    expect(existsSync(programs('resources/stays.txt'))).toBe(true);
    await chmod(programs('fieldbench.exe'), 0o755);
  });

  test('is undone, with its opening at login, and without the data', async () => {
    const ours = ['reg', 'add', RUN_KEY, '/f', '/t', 'REG_SZ'];
    await windows(...ours, '/v', 'Fieldbench abc', '/d', `"${PROGRAMS}\\fieldbench.exe" --data x`);
    await windows(...ours, '/v', 'Other', '/d', String.raw`C:\other.exe`);
    // It copies itself elsewhere and ends; _?= has it stay.
    await windows(programs('uninstall.exe'), '/S', `_?=${PROGRAMS}`);
    expect(existsSync(programs('fieldbench.exe'))).toBe(false);
    expect(existsSync(programs('resources'))).toBe(false);
    expect(existsSync(programs(FEED_FILE))).toBe(false);
    expect(existsSync(shortcut())).toBe(false);
    expect(existsSync(programs('Data/metadata.json'))).toBe(true);
    await expect(windows('reg', 'query', UNINSTALL_KEY)).rejects.toMatchObject({ code: 1 });
    const atLogin = await windows('reg', 'query', RUN_KEY);
    expect(atLogin).toContain('Other');
    expect(atLogin).not.toContain('Fieldbench');
  });
});
