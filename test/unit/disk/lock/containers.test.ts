import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireLock } from '#core/disk/lock/lock.ts';
import { kill } from './kill.ts';

/*
 * Processes that see other pids, as in containers that share a volume: pid_namespaces(7). Making such a namespace takes
 * root, or a system that lets everyone.
 */

const lockModule = pathToFileURL(
  join(import.meta.dirname, '../../../../electron/core/disk/lock/lock.ts'),
).href;
const TAKER = `
  import { acquireLock } from '${lockModule}';
  try { await acquireLock(process.argv[1], { beatMs: 1000 }); console.log('held by ' + process.pid); }
  catch (error) { console.log(error.code + ' ' + error.message); }
  setInterval(() => {}, 1000);
`;
const UNSHARE = ['--pid', '--fork', '--kill-child', '--mount-proc'];

function canUnshare(): boolean {
  try {
    execFileSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let directory: string;
let containers: ChildProcess[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-containers-'));
  containers = [];
});
afterEach(async () => {
  await Promise.all(containers.map(kill));
  await rm(directory, { recursive: true });
});

/** Starts a taker as pid 1 of a namespace of its own; resolves with what it says. */
async function container(): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const child = spawn(
    'unshare',
    [...UNSHARE, process.execPath, '--input-type=module', '--eval', TAKER, directory],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  containers.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, said: line };
}

describe.skipIf(!canUnshare())('a data folder that containers share', () => {
  test('has one service, though both are process 1', async () => {
    expect((await container()).said).toBe('held by 1');
    expect((await container()).said).toMatch(/^locked .*process 1 on /);
    await expect(acquireLock(directory)).rejects.toMatchObject({ code: 'locked' });
  });

  test('has one service, though the second sees no process of that number', async () => {
    const lock = await acquireLock(directory);
    expect((await container()).said).toMatch(new RegExp(`^locked .*process ${process.pid} on `));
    await lock.release();
    expect(await readdir(directory)).toEqual([]);
  });

  test('is free at once when a container was killed, to another and to us', async () => {
    const first = await container();
    await kill(first.child);
    const second = await container();
    expect(second.said).toBe('held by 1');
    await kill(second.child);
    const said: string[] = [];
    const lock = await acquireLock(directory, { say: (line) => said.push(line) });
    // Nobody had to be watched.
    expect(said).toEqual([]);
    await lock.release();
  });

  test('goes to exactly one of many that start together', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, container));
    expect(all.map(({ said }) => said.split(' ')[0] ?? '').toSorted()).toEqual([
      'held',
      'locked',
      'locked',
      'locked',
    ]);
  });
});
