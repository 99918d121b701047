import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireLock } from '#core/disk/lock.ts';

const lockModule = pathToFileURL(join(import.meta.dirname, '../../../electron/core/disk/lock.ts')).href;

/** A process that takes the lock, says how that went in one line, and then waits to be killed. */
const TAKER = `
  import { acquireLock } from '${lockModule}';
  process.stdin.resume().once('data', async () => {
    try { await acquireLock(process.argv[1]); console.log('held'); }
    catch (error) { console.log(error.code + ' ' + error.message); }
  });
  console.log('ready');
  setInterval(() => {}, 1000);
`;

let directory: string;
let children: ChildProcess[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-lock-'));
  children = [];
});

afterEach(async () => {
  await Promise.all(children.map(kill));
  await rm(directory, { recursive: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** Starts a taker, which waits for `go`. */
async function taker() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', TAKER, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  expect(await next()).toBe('ready');
  return {
    child,
    go: () => {
      child.stdin.write('go\n');
      return next();
    },
  };
}

describe('the lock of a data folder', () => {
  test('makes the folder, for its user alone', async () => {
    const lock = await acquireLock(join(directory, 'new/folder'));
    const { mode } = await stat(join(directory, 'new/folder'));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o700);
    await lock.release();
  });

  test('tells a second service the pid of the first', async () => {
    const first = await taker();
    expect(await first.go()).toBe('held');
    await expect(acquireLock(directory)).rejects.toMatchObject({
      name: 'StartError',
      code: 'locked',
      message: expect.stringContaining(`process ${first.child.pid})`),
    });
    await expect(acquireLock(directory)).rejects.toThrow(directory);
  });

  test('refuses the same process twice, and leaves the first hold alone', async () => {
    const lock = await acquireLock(directory);
    await expect(acquireLock(directory)).rejects.toMatchObject({ code: 'locked' });
    expect(await (await taker()).go()).toMatch(/^locked /);
    await lock.release();
  });

  test('is free after a release, whose repetition takes nothing from the next holder', async () => {
    const first = await acquireLock(directory);
    await first.release();
    expect(await readdir(directory)).toEqual([]);
    const second = await acquireLock(directory);
    await first.release();
    expect(await (await taker()).go()).toMatch(/^locked /);
    await second.release();
  });

  test('is free at once after kill -9 of its holder', async () => {
    const first = await taker();
    expect(await first.go()).toBe('held');
    await kill(first.child);
    const lock = await acquireLock(directory);
    expect(await readdir(directory)).toHaveLength(1);
    await lock.release();
  });

  test.skipIf(process.platform !== 'linux')(
    'is free where the pid of a killed holder lives on in another',
    async () => {
      const first = await taker();
      expect(await first.go()).toBe('held');
      const [claim = ''] = await readdir(directory);
      await kill(first.child);
      const other = await taker();
      const [, start, boot] = /-(\d+)-(.+)$/.exec(claim) ?? [];
      await rm(join(directory, claim));
      await writeFile(join(directory, `lock.${other.child.pid}-${start}-${boot}`), '');
      await (await acquireLock(directory)).release();
    },
  );

  test.skipIf(process.platform !== 'linux')('is free after a restart of the machine', async () => {
    const first = await taker();
    expect(await first.go()).toBe('held');
    const [claim = ''] = await readdir(directory);
    await rm(join(directory, claim));
    await writeFile(join(directory, claim.replace(/-[^-]+$/, '-000000000000')), '');
    await (await acquireLock(directory)).release();
  });

  test('lets exactly one of many through that find the same dead holder', async () => {
    for (let round = 0; round < 3; round++) {
      const dead = await taker();
      const takers = await Promise.all(Array.from({ length: 4 }, taker));
      expect(await dead.go()).toBe('held');
      await kill(dead.child);
      const said = await Promise.all(takers.map(({ go }) => go()));
      expect(said.toSorted().map((line) => line.split(' ')[0])).toEqual([
        'held',
        'locked',
        'locked',
        'locked',
      ]);
      await Promise.all(takers.map(({ child }) => kill(child)));
    }
  });

  test('says so where the folder cannot be made', async () => {
    await writeFile(join(directory, 'file'), '');
    await expect(acquireLock(join(directory, 'file', 'data'))).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining(join(directory, 'file', 'data')),
    });
  });

  test('leaves everything else in the folder alone', async () => {
    await mkdir(join(directory, 'data'));
    await writeFile(join(directory, 'lock.txt'), 'mine');
    const lock = await acquireLock(directory);
    await lock.release();
    expect(await readdir(directory)).toEqual(['data', 'lock.txt']);
  });
});
