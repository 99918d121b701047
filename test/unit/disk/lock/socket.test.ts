import { readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectTo, probe } from '#core/disk/lock/connect.ts';
import { acquireLock } from '#core/disk/lock/lock.ts';
import { placesOf } from '#core/disk/lock/places.ts';
import { listenIn } from '#core/disk/lock/socket.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-socket-'))));
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

describe.skipIf(process.platform === 'win32')('the socket of a data folder', () => {
  test('answers while the folder is held, to its owner alone, and is gone afterwards', async () => {
    expect(await probe(folder)).toBe('absent');
    const lock = await acquireLock(folder);
    expect(await probe(folder)).toBe('answered');
    expect((await stat(join(folder, 'control.sock'))).mode & 0o777).toBe(0o600);
    await lock.release();
    expect([await probe(folder), await readdir(folder)]).toEqual(['absent', []]);
  });

  test('takes the place of one that a killed process left', async () => {
    const left = await listenIn(folder);
    left.abandon();
    const lock = await acquireLock(folder);
    expect(lock.note).toBeNull();
    expect(await probe(folder)).toBe('answered');
    await lock.release();
  });

  test('hands over who came before there was someone to hand over to', async () => {
    const lock = await acquireLock(folder);
    const early = await connectTo(folder);
    const heard = new Promise<string>((resolve) =>
      lock.serve((socket) => socket.once('data', (bytes: Buffer) => resolve(bytes.toString()))),
    );
    if (typeof early === 'string') throw new Error(early);
    early.write('hello');
    expect(await heard).toBe('hello');
    await lock.release();
  });

  test('ends for who waits for that once nothing of the holder is left', async () => {
    const lock = await acquireLock(folder);
    const waiting = await connectTo(folder);
    if (typeof waiting === 'string') throw new Error(waiting);
    const left = new Promise<string[]>((resolve) =>
      waiting.resume().once('close', () => resolve(readdirSync(folder))),
    );
    await lock.release();
    expect(await left).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'lies in a folder whose path is longer than a socket may have',
    async () => {
      const deep = join(folder, 'a'.repeat(100), 'b'.repeat(100));
      await mkdir(deep, { recursive: true });
      const lock = await acquireLock(deep);
      expect(await readdir(deep)).toContain('control.sock');
      expect(await probe(deep)).toBe('answered');
      await lock.release();
      expect(await readdir(deep)).toEqual([]);
    },
  );

  test('lies in a folder of the user alone where the data folder takes none', async () => {
    vi.stubEnv('XDG_RUNTIME_DIR', join(folder, 'runtime'));
    const data = join(folder, 'data');
    // A folder in its place: neither can a socket be made there nor the name be freed.
    await mkdir(join(data, 'control.sock', 'full'), { recursive: true });
    const lock = await acquireLock(data);
    expect(lock.note).toMatch(/takes no socket .*on this machine alone/);
    expect(await probe(data)).toBe('answered');
    expect(await readdir(join(folder, 'runtime'))).toHaveLength(1);
    await lock.release();
    expect(await readdir(join(folder, 'runtime'))).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'has a name of its own there, however long the path of that folder is, or however it is named',
    async () => {
      const runtime = join(folder, 'r'.repeat(100));
      const both = [join(folder, 'one'), join(folder, 'two')];
      for (const data of both) await mkdir(join(data, 'control.sock', 'full'), { recursive: true });
      vi.stubEnv('XDG_RUNTIME_DIR', runtime);
      const locks = await Promise.all(both.map((data) => acquireLock(data)));
      expect(await readdir(runtime)).toEqual(
        Array.from(both, () => expect.stringMatching(/^fieldbench-[0-9a-f]{32}\.sock$/)),
      );
      await locks[0]?.release();
      expect(await Promise.all(both.map((data) => probe(data)))).toEqual(['refused', 'answered']);
      await locks[1]?.release();

      vi.stubEnv('XDG_RUNTIME_DIR', 'relative');
      expect(placesOf(folder)[1]?.address.startsWith(tmpdir())).toBe(true);
    },
  );

  test('is done without where that folder is open to others; the data folder is held all the same', async () => {
    vi.stubEnv('XDG_RUNTIME_DIR', join(folder, 'runtime'));
    await mkdir(join(folder, 'runtime'), { mode: 0o777 });
    await chmod(join(folder, 'runtime'), 0o777);
    const data = join(folder, 'data');
    await mkdir(join(data, 'control.sock', 'full'), { recursive: true });
    const lock = await acquireLock(data);
    expect(lock.note).toMatch(/do not work/);
    expect(await readdir(join(folder, 'runtime'))).toEqual([]);
    await lock.release();
  });
});

test('on Windows it is a pipe, the same for every spelling of a path', () => {
  const [pipe, ...others] = placesOf('C:\\Data\\Rig', 'win32');
  expect(pipe).toEqual({
    address: expect.stringMatching(/^\\\\\.\\pipe\\fieldbench-[0-9a-f]{32}$/),
    where: 'machine',
  });
  expect(others).toEqual([]);
  expect(placesOf('c:\\data\\rig', 'win32')).toEqual([pipe]);
  expect(placesOf('c:\\data\\rig2', 'win32')).not.toEqual([pipe]);
});
