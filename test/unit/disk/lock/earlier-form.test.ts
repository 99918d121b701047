import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireLock } from '#core/disk/lock/lock.ts';
import { kill } from './kill.ts';

/* An earlier version on the same folder, such as one that still runs while the app is updated. */

const earlier = pathToFileURL(join(import.meta.dirname, '../../../fixtures/earlier-lock/lock.ts')).href;

/** A process of the earlier version that takes the lock and says how that went. */
const TAKER = `
  import { acquireLock } from '${earlier}';
  try { await acquireLock(process.argv[1]); console.log('held'); }
  catch (error) { console.log(error.code); }
  setInterval(() => {}, 1000);
`;

let directory: string;
let children: ChildProcess[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-earlier-'));
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  await rm(directory, { recursive: true });
});

async function earlierVersion(): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', TAKER, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, said };
}

describe('a data folder', () => {
  test('that an earlier version uses is refused, and free at once when that was killed', async () => {
    const { child, said } = await earlierVersion();
    expect(said).toBe('held');
    const [name = ''] = await readdir(directory);
    await expect(acquireLock(directory)).rejects.toMatchObject({
      name: 'StartError',
      code: 'locked',
      message: expect.stringMatching(
        new RegExp(`process ${child.pid}, of an earlier version.*its file ${name}`),
      ),
    });
    expect(await readdir(directory)).toEqual([name]);
    await kill(child);
    const lock = await acquireLock(directory);
    expect(await readdir(directory)).not.toContain(name);
    await lock.release();
    expect(await readdir(directory)).toEqual([]);
  });

  test('that this version uses is refused to an earlier one, which takes nothing away', async () => {
    const lock = await acquireLock(directory, { beatMs: 20 });
    const before = await readdir(directory);
    expect((await earlierVersion()).said).toBe('locked');
    expect((await readdir(directory)).toSorted()).toEqual(before.toSorted());
    expect(lock.lost()).toBeNull();
    await lock.release();
    expect((await earlierVersion()).said).toBe('held');
    await expect(acquireLock(directory)).rejects.toMatchObject({ code: 'locked' });
  });

  test('keeps nothing that a killed service of this version has put down for earlier ones', async () => {
    const { child } = await earlierVersion();
    const [name = ''] = await readdir(directory);
    await kill(child);
    // It names a claim that somebody has removed since.
    await writeFile(join(directory, name), 'lock.1-2-3-4-5.0123456789abcdef\n');
    await (await acquireLock(directory)).release();
    expect(await readdir(directory)).toEqual([]);
  });
});
