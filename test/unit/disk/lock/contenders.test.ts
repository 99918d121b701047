import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLock } from '#core/disk/lock/lock.ts';

const lockModule = pathToFileURL(
  join(import.meta.dirname, '../../../../electron/core/disk/lock/lock.ts'),
).href;

/** Numbers from 0 to 1, always the same ones for a seed (Marsaglia, "Xorshift RNGs"). */
function seeded(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Takes the lock again and again. While it has it, a file says so; whoever finds another's, and that one alive, says "two". */
const CONTENDER = `
  import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { acquireLock } from '${lockModule}';
  const [folder, seen, seed] = process.argv.slice(1);
  const random = ${seeded.toString()}(Number(seed));
  // One that was killed and not yet cleared away still has its number.
  const isGone = (pid) => process.platform === 'linux' && /\\) [ZX]/.test(readFileSync('/proc/' + pid + '/stat', 'utf8'));
  const runs = (pid) => { try { process.kill(pid, 0); return !isGone(pid); } catch { return false; } };
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  for (;;) {
    try {
      const lock = await acquireLock(folder);
      const mine = join(seen, String(process.pid));
      writeFileSync(mine, '');
      await pause(random() * 10);
      const others = readdirSync(seen).map(Number).filter((pid) => pid !== process.pid && runs(pid));
      console.log(others.length > 0 ? 'two' : 'held');
      rmSync(mine);
      await lock.release();
    } catch (error) {
      if (error.code !== 'locked') console.log(String(error));
    }
    await pause(random() * 5);
  }
`;

let folder: string;
let seen: string;
let children: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-contenders-'));
  seen = await mkdtemp(join(tmpdir(), 'fieldbench-contenders-seen-'));
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  await Promise.all([folder, seen].map((one) => rm(one, { recursive: true })));
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
}

test('of contenders that are killed at any moment never two hold the folder, and the rest go on', async () => {
  const random = seeded(20_260_101);
  const said: string[] = [];
  let heard = () => {};
  const contend = () => {
    const seed = String(Math.floor(random() * 2 ** 31));
    const child = spawn(process.execPath, ['--input-type=module', '--eval', CONTENDER, folder, seen, seed], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line);
      heard();
    });
    children.push(child);
  };
  for (let number = 0; number < 5; number++) contend();
  for (let killed = 0; killed < 20; killed++) {
    // Each time someone has had the folder again: the one killed before keeps nobody out.
    const before = said.length;
    await new Promise<void>((resolve) => (heard = () => said.length > before && resolve()));
    await new Promise((resolve) => setTimeout(resolve, random() * 20));
    const [victim] = children.splice(Math.floor(random() * children.length), 1);
    if (victim) await kill(victim);
    contend();
  }
  await Promise.all(children.map(kill));
  expect(new Set(said)).toEqual(new Set(['held']));
  const lock = await acquireLock(folder);
  // What the killed ones have left is gone: there is its own claim.
  expect((await readdir(folder)).filter((name) => name.startsWith('lock.'))).toHaveLength(1);
  await lock.release();
});
