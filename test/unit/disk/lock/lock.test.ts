import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ownIdentity, UNKNOWN } from '#core/disk/lock/identity.ts';
import { acquireLock } from '#core/disk/lock/lock.ts';
import { kill } from './kill.ts';

const lockModule = pathToFileURL(
  join(import.meta.dirname, '../../../../electron/core/disk/lock/lock.ts'),
).href;

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

/** The claims in the folder. */
const claims = async () => (await readdir(directory)).filter((name) => name.startsWith('lock.'));

/** Gives the one claim in the folder another name, as if another process had made it. */
async function pretend(change: (parts: string[]) => void): Promise<string> {
  const [claim = ''] = await claims();
  const [, whose = '', number = ''] = claim.split('.');
  const parts = whose.split('-');
  change(parts);
  const name = `lock.${parts.join('-')}.${number}`;
  await rename(join(directory, claim), join(directory, name));
  return name;
}

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
    expect(await claims()).toHaveLength(1);
    await lock.release();
  });

  const linux = test.skipIf(process.platform !== 'linux');

  linux('is free where the pid of a killed holder lives on in another', async () => {
    const first = await taker();
    expect(await first.go()).toBe('held');
    await kill(first.child);
    const other = await taker();
    await pretend((parts) => (parts[0] = String(other.child.pid)));
    await (await acquireLock(directory)).release();
    expect(await readdir(directory)).toEqual([]);
  });

  linux('is free at once after a restart of the machine', async () => {
    const first = await taker();
    expect(await first.go()).toBe('held');
    await kill(first.child);
    const { machine } = await ownIdentity();
    // In a container nobody can tell a restarted machine from another one.
    if (machine === UNKNOWN) return;
    await pretend((parts) => (parts[2] = '0123456789abcdef'));
    const said: string[] = [];
    await (await acquireLock(directory, { say: (line) => said.push(line) })).release();
    expect(said).toEqual([]);
  });

  linux('is free, after a look, where a machine that is gone has left a claim', async () => {
    const first = await taker();
    expect(await first.go()).toBe('held');
    await kill(first.child);
    await pretend((parts) => ((parts[2] = '0123456789abcdef'), (parts[4] = 'fedcba9876543210')));
    const said: string[] = [];
    await (await acquireLock(directory, { say: (line) => said.push(line), beatMs: 50 })).release();
    expect(said).toEqual([expect.stringMatching(/process \d+ on .+ used .*whether it still does/)]);
    expect(await claims()).toEqual([]);
  });

  linux('is not free while a claim of another machine is said anew', async () => {
    const first = await taker();
    expect(await first.go()).toBe('held');
    await kill(first.child);
    const name = await pretend((parts) => ((parts[2] = '0123456789abcdef'), (parts[4] = 'fedcba9876543210')));
    const file = join(directory, name);
    const far = (await readFile(file, 'utf8')).replace(/"host":"[^"]*"/, '"host":"far-away"');
    await writeFile(file, far);
    let beat = 0;
    const beating = setInterval(() => {
      const fd = openSync(file, 'r+');
      writeSync(fd, far.replace('"beat":', `"beat":${++beat}`), 0);
      closeSync(fd);
    }, 20);
    try {
      await expect(acquireLock(directory, { beatMs: 200 })).rejects.toMatchObject({
        code: 'locked',
        message: expect.stringMatching(/on far-away\).*Stop it there/),
      });
    } finally {
      clearInterval(beating);
    }
    expect(await claims()).toEqual([name]);
  });

  linux('is free where a power cut has emptied the claim', async () => {
    const first = await taker();
    expect(await first.go()).toBe('held');
    await kill(first.child);
    const [claim = ''] = await claims();
    await writeFile(join(directory, claim), '');
    await (await acquireLock(directory)).release();
  });

  test.each(['', 'garbage', '[]', '7'])(
    'is not free where the claim of one that runs says %j',
    async (text) => {
      const first = await taker();
      expect(await first.go()).toBe('held');
      const [claim = ''] = await claims();
      const path = join(directory, claim);
      await writeFile(path, text);
      await expect(acquireLock(directory, { beatMs: 20 })).rejects.toMatchObject({
        code: 'locked',
        message: expect.stringContaining(claim),
      });
      expect([await claims(), await readFile(path, 'utf8')]).toEqual([[claim], text]);
    },
  );

  test.each([
    ['of one that runs', `lock.${process.ppid}-0-0b1c2d3e-0000-4000-8000-000000000000`, ''],
    ['of one that was killed', 'lock.999999999-12345-0', ''],
    ['of another program', 'lock.1-2-3', 'garbage'],
  ])('is not taken beside a file of the earlier form (%s), which stays as it is', async (_, name, text) => {
    const path = join(directory, name);
    await writeFile(path, text);
    await expect(acquireLock(directory)).rejects.toMatchObject({
      name: 'StartError',
      code: 'unsupported-format',
      message: expect.stringContaining(path),
    });
    expect([await readdir(directory), await readFile(path, 'utf8')]).toEqual([[name], text]);
    await rm(path);
    await (await acquireLock(directory)).release();
  });

  linux('tells its holder, who can no longer write, when another has taken it', async () => {
    const lock = await acquireLock(directory, { beatMs: 20 });
    const told = new Promise((resolve) => lock.onLost(resolve));
    expect(lock.lost()).toBeNull();
    const [claim = ''] = await claims();
    await rm(join(directory, claim));
    await expect(told).resolves.toMatchObject({ name: 'StoreError', code: 'poisoned' });
    expect(lock.lost()).toMatchObject({ code: 'poisoned' });
    // What the other one has put there meanwhile stays.
    await writeFile(join(directory, 'control.sock.theirs'), '');
    await lock.release();
    expect(await readdir(directory)).toEqual(['control.sock', 'control.sock.theirs']);
  });

  linux('is found out to be lost before a write, where the process stood still', async () => {
    // Its first beat comes in an hour: what it knows is older than that only by the clock that is moved here.
    const lock = await acquireLock(directory, { beatMs: 3_600_000 });
    const [claim = ''] = await claims();
    await rm(join(directory, claim));
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 4 * 3_600_000);
    try {
      expect(lock.lost()).toMatchObject({ code: 'poisoned' });
    } finally {
      now.mockRestore();
      await lock.release();
    }
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
