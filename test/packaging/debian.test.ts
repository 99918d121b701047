import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDeb } from '../../packaging/debian.mjs';
import { makeRpm } from '../../packaging/rpm.mjs';
import { CACHE, ROOT } from '../../scripts/lib/project.mjs';
import { isLeftOut } from '../helpers/left-out.ts';
import { makePackedTree, PROCESSOR } from './runtime.ts';

/* The .deb in a Debian of its own: installed, started by a plain user, updated while it runs, removed. */

const run = promisify(execFile);
const SUITE = 'trixie';
const BASE = join(CACHE, 'package', `debian-${SUITE}`);
const date = 1_767_225_600;

let folder: string;
let tree: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-debian-'));
  tree = await makePackedTree(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;

/** A bare Debian, downloaded once. */
async function provideBase(): Promise<void> {
  if (existsSync(BASE)) return;
  const { stdout } = await run('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI)',
    'Created-By: Packages',
  ]);
  const mirror = stdout.split('\n').find((uri) => uri.endsWith('/debian/'));
  if (mirror === undefined) throw new Error(`apt names no mirror of Debian:\n${stdout}`);
  await mkdir(join(CACHE, 'package'), { recursive: true });
  const making = `${BASE}-making`;
  await rm(making, { recursive: true, force: true });
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', SUITE, making, mirror], {
    maxBuffer: 1 << 26,
  });
  await rename(making, BASE);
}

const noDebian = isLeftOut('the .deb in a Debian of its own', ['debootstrap', 'dpkg-deb', 'unshare'], {
  'root’s rights': isRoot,
});
test.skipIf(noDebian)(
  'the .deb is installed, started, updated with its data while it runs, and removed without them',
  async () => {
    await provideBase();
    const deb = (version: string) =>
      makeDeb({ tree, work: join(folder, 'deb'), output: folder, processor: PROCESSOR, date, version });
    const [older, newer] = [await deb('0.0.9'), await deb('0.1.0')];
    const script = join(import.meta.dirname, 'in-debian.sh');
    const child = spawn(
      'unshare',
      ['--mount', '--propagation', 'private', script, ROOT, BASE, older, newer],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part) => (said += part));
    const code = await new Promise((resolve) => void child.once('close', resolve));
    expect(code, said).toBe(0);
    expect(said).toBe('== prepare\n== install\n== start\n== update\n== remove\n== done\n');
  },
);

test.skipIf(isLeftOut('the .rpm', ['rpmbuild', 'rpm']))(
  'the .rpm has the same files, and asks for libsecret',
  async () => {
    const rpm = await makeRpm({
      tree,
      work: join(folder, 'rpm'),
      output: folder,
      processor: PROCESSOR,
      date,
    });
    const ask = async (...args: string[]) =>
      (await run('rpm', ['--query', '--package', ...args, rpm])).stdout;
    const files = await ask('--list');
    for (const name of [
      '/opt/fieldbench/resources/app.asar',
      '/usr/bin/fieldbench',
      '/usr/share/applications/fieldbench.desktop',
    ])
      expect(files).toContain(`${name}\n`);
    expect(await ask('--requires')).toContain('libsecret-1.so.0()(64bit)\n');
    expect(await ask('--scripts')).toContain(
      await readFile('packaging/linux/after-install.sh', 'utf8').then((text) => text.split('\n')[1] ?? ''),
    );
    expect(await ask('--dump')).toMatch(/^\/opt\/fieldbench\/chrome-sandbox .* 0104755 root root /m);
  },
);
