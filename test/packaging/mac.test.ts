import { createHash } from 'node:crypto';
import { mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { getRawHeader } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { IDS } from '../../packaging/identity.mjs';
import { makeTree } from '../../packaging/tree.mjs';
import { provideBuild } from '../../scripts/lib/setup.mjs';
import { makeMacRuntime } from './runtime.ts';

/*
 * A Mac's app as electron-builder lays it out, over a stand-in for Electron's bundle, in which nothing runs. What only a Mac
 * proves: signatures, and with them the entitlements and the hardened runtime; dmg and zip.
 */

describe.skipIf(process.platform === 'win32')('the app of a Mac', () => {
  let folder: string;
  let tree: string;
  const inside = (name: string) => join(tree, 'Fieldbench.app/Contents', name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-mac-'));
    await provideBuild();
    // The fuses' step signs anew; elsewhere than on a Mac there is nothing to sign with, nor for.
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/codesign'), '#!/bin/sh\n', { mode: 0o755 });
    vi.stubEnv('PATH', `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`);
    const electronDist = await makeMacRuntime(join(folder, 'runtime'));
    ({ folder: tree } = await makeTree(
      { system: 'darwin', processor: 'arm64' },
      { work: join(folder, 'work'), electronDist },
    ));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  test('is called as people know it, its program and helpers too', async () => {
    // Where case counts: a Mac's usual disk would not tell.
    expect(await readdir(tree)).toContain('Fieldbench.app');
    expect(await readdir(inside('MacOS'))).toEqual(['Fieldbench']);
    const helpers = (await readdir(inside('Frameworks'))).filter((name) => name.endsWith('.app'));
    expect(helpers.toSorted()).toEqual([
      'Fieldbench Helper (GPU).app',
      'Fieldbench Helper (Plugin).app',
      'Fieldbench Helper (Renderer).app',
      'Fieldbench Helper.app',
    ]);
    expect((await stat(inside('MacOS/Fieldbench'))).mode & 0o111).toBe(0o111);
  });

  test('says who it is, and what it wants of the local network', async () => {
    const about = await readFile(inside('Info.plist'), 'utf8');
    const valueOf = (key: string) =>
      new RegExp(`<key>${key}</key>\\s*<string>([^<]*)</string>`).exec(about)?.[1];
    expect(valueOf('CFBundleIdentifier')).toBe(IDS.mac);
    expect(valueOf('CFBundleName')).toBe('Fieldbench');
    expect(valueOf('CFBundleExecutable')).toBe('Fieldbench');
    expect(valueOf('CFBundleIconFile')).toBe('icon.icns');
    expect(valueOf('NSLocalNetworkUsageDescription')).toContain('what devices there send');
    expect(await readdir(inside('Resources'))).toContain('icon.icns');
  });

  test('knows the hash of its archive, and has its fuses set', async () => {
    const about = await readFile(inside('Info.plist'), 'utf8');
    const [, hash] =
      /<key>Resources\/app\.asar<\/key>\s*<dict>[^]*?<key>hash<\/key>\s*<string>(\w+)</.exec(about) ?? [];
    const { headerString } = getRawHeader(inside('Resources/app.asar'));
    expect(hash).toBe(createHash('sha256').update(headerString).digest('hex'));
    // Read back by makeTree already, from where a Mac has them.
    const framework = await readFile(inside('Frameworks/Electron Framework.framework/Electron Framework'));
    expect(framework.subarray(-8).toString()).toBe('00001100');
  });

  test('has of Electron what ships, with its licences inside', async () => {
    expect(await readdir(inside('Resources'))).toEqual(expect.arrayContaining(['licences.txt', 'en.lproj']));
    const licences = await readFile(inside('Resources/licences.txt'), 'utf8');
    expect(licences).toMatch(
      /\nfastify \d[^]*\nElectron\n[^]*\nChromium, [^]*Copyright of <a library> & others/,
    );
    for (const name of [
      'default_app.asar',
      'electron.icns',
      'de.lproj',
      'LICENSE.electron.txt',
      'LICENSES.chromium.html',
    ])
      expect(await readdir(inside('Resources'))).not.toContain(name);
  });
});
