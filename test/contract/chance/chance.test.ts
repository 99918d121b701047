import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inDatabase, inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { startServiceProcess } from '../../helpers/service/service-process.ts';
import { backupOf, restored } from '../backup/backups.ts';
import { dataOf } from '../world.ts';

/* docs/rigs.md, "Chance": --seed, GET /_local/v1/chance, and what is kept of a seed over starts and in backups. */

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const CLOCK = { mode: 'frozen', now: Date.UTC(2026, 2, 3) * 1000 } as const;
const stack: RunningService[] = [];
let folders: string[];

beforeEach(() => void (folders = []));
afterEach(async () => {
  // A later one may have the directory of an earlier one.
  for (const service of stack.splice(0).toReversed()) await service.stop();
  for (const each of folders) await rm(each, { recursive: true, force: true });
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  folders.push(made);
  return made;
}

/** Stopped behind the test, where that does not do so. */
async function start(seed: number | null, directory?: string): Promise<RunningService> {
  const service = await runService(
    { vault: 'memory', clock: CLOCK, seed, ...(directory !== undefined && { directory }) },
    { isAlone: true },
  );
  stack.push(service);
  return service;
}

const chanceOf = async (service: RunningService) => dataOf(service, 'GET', '/_local/v1/chance');
const notesOf = async (service: RunningService) =>
  ((await dataOf(service, 'GET', '/_local/v1/status'))['notes'] as string[]).join('\n');

/** Ids and secrets of one of everything. */
async function drawn(service: RunningService): Promise<string[]> {
  const project = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Rig' });
  const device = await dataOf(service, 'POST', `/v2/projects/${project.id}/devices`, {
    name: 'Sensor',
    source: 'http',
  });
  const { device_token } = device['metadata'] as { device_token: string };
  const key = await dataOf(service, 'POST', '/_local/v1/keys', { name: 'rig', permissions: ['read'] });
  const account = await dataOf(service, 'POST', '/_local/v1/accounts', { name: 'Suite' });
  return [
    project.id,
    device.id,
    device_token,
    key.id,
    key['api_key'] as string,
    account.id,
    account['api_key'] as string,
    service.service.api_key,
  ];
}

test('without a seed nothing can be guessed, and nothing says so', async () => {
  const service = await start(null);
  expect(await chanceOf(service)).toEqual({ seeded: false, warning: null });
  expect(await notesOf(service)).not.toMatch(/seed|guess/);
});

test.runIf(inFolder)('without a seed two services draw something else', async () => {
  const all = [await drawn(await start(null)), await drawn(await start(null))].flat();
  expect(new Set(all).size).toBe(all.length);
});

describe.runIf(inFolder)('a seed', () => {
  test('is said, in the status and the log with its number, and to whoever may read without', async () => {
    const service = await start(4711);
    const { warning, seeded } = await chanceOf(service);
    expect([seeded, warning]).toEqual([true, expect.stringContaining('can be guessed')]);
    expect(warning).not.toContain('4711');
    expect(await notesOf(service)).toContain('can be guessed. It is for tests alone. The seed is 4711.');
    expect(service.logged.join('')).toContain('The seed is 4711.');
    const suite = await dataOf(service, 'POST', '/_local/v1/accounts', { name: 'Suite' });
    const key = suite['api_key'] as string;
    const asked = await service.request('GET', '/_local/v1/chance', { key });
    expect(asked.envelope.data).toEqual({ seeded: true, warning });
    expect((await service.request('GET', '/_local/v1/status', { key })).text).not.toContain('4711');
  });

  test('draws the same in a new directory, in the form of ids and secrets, and another one something else', async () => {
    const first = await drawn(await start(1));
    expect(await drawn(await start(1))).toEqual(first);
    const others = await drawn(await start(2));
    expect(new Set([...first, ...others]).size).toBe(2 * first.length);
    const [project, device, token, key_id, key, account] = first;
    for (const id of [project, device, key_id, account]) expect(id).toMatch(UUID);
    expect([token, key]).toEqual([
      expect.stringMatching(/^[\da-zA-Z]{40}$/),
      expect.stringMatching(/^fb_[\da-zA-Z]{40}$/),
    ]);
  });

  test('draws nothing twice over starts, and the same over the same starts', async () => {
    const lives = async (seeds: readonly number[]) => {
      const directory = await folder();
      const all: string[][] = [];
      for (const seed of seeds) {
        const service = await start(seed, directory);
        all.push(await drawn(service));
        await service.service.close();
      }
      return all;
    };
    const first = await lives([7, 7, 8, 7]);
    expect(new Set(first.flat()).size).toBe(first.flat().length);
    expect(await lives([7, 7, 8, 7])).toEqual(first);
    expect((await lives([7, 8]))[1]).not.toEqual(first[1]);
  });

  test('draws nothing twice behind a kill', async () => {
    const lives = async () => {
      const directory = await folder();
      const ids: string[] = [];
      for (let life = 0; life < 3; life++) {
        const service = await startServiceProcess({ directory, args: ['--seed', '5'] });
        for (let n = 0; n < 3; n++) {
          const made = await service.call<{ id: string }>('POST', '/_local/v1/projects', { name: `${life}` });
          ids.push(made.data!.id);
        }
        const there = await service.call<{ id: string }[]>('GET', '/v2/projects');
        expect(there.data!.map(({ id }) => id)).toEqual(ids.toReversed());
        await service.kill();
      }
      return ids;
    };
    const ids = await lives();
    expect(new Set(ids).size).toBe(9);
    expect(await lives()).toEqual(ids);
  });

  test('leaves a note in the data directory: what it drew can be guessed without it, too', async () => {
    const directory = await folder();
    const seeded = await start(3, directory);
    const before = await drawn(seeded);
    await seeded.service.close();
    const service = await start(null, directory);
    expect(await chanceOf(service)).toEqual({
      seeded: false,
      warning: expect.stringContaining('were made with --seed here') as string,
    });
    expect(await notesOf(service)).toContain('were made with --seed here');
    const after = await drawn(service);
    expect(after.filter((each) => before.includes(each))).toEqual([]);
    const again = await start(3);
    expect(await drawn(again)).toEqual(before);
  });
});

describe.runIf(inFolder)('a backup of what a seed has drawn', () => {
  test('is restored beside the same seed, which draws nothing of it then, and always the same', async () => {
    const saved: string[] = [];
    const rest = async () => {
      const from = await start(9);
      saved.push(...(await drawn(from)));
      const file = await backupOf(from);
      const to = await start(9);
      await restored(to, file, '?dry_run=true');
      expect(await restored(to, file)).toMatchObject({ projects: { new: 1 }, devices: { new: 1 } });
      // The last one is the service's own key, which it had before.
      return (await drawn(to)).slice(0, -1);
    };
    const first = await rest();
    expect(first.filter((each) => saved.includes(each))).toEqual([]);
    expect(await rest()).toEqual(first);
  });

  test('brings its warning to where it is restored, for good', async () => {
    const from = await start(9);
    await drawn(from);
    const to = await start(null);
    const file = await backupOf(from);
    await restored(to, file, '?dry_run=true');
    expect(await chanceOf(to)).toMatchObject({ warning: null });
    await restored(to, file);
    const said = {
      seeded: false,
      warning: expect.stringContaining('where a restored backup comes from') as string,
    };
    expect(await chanceOf(to)).toEqual(said);
    await to.service.close();
    const again = await start(null, to.directory);
    expect(await chanceOf(again)).toEqual(said);
    const onwards = await start(null);
    await restored(onwards, await backupOf(again));
    expect(await chanceOf(onwards)).toEqual(said);
  });

  test('says nothing where there was no seed', async () => {
    const from = await start(null);
    await drawn(from);
    const to = await start(null);
    await restored(to, await backupOf(from));
    expect(await chanceOf(to)).toEqual({ seeded: false, warning: null });
  });
});

test.skipIf(inDatabase)(
  'a restore of a snapshot draws nothing twice, and two runs draw the same',
  async () => {
    const story = async () => {
      const service = await start(7);
      const first = await drawn(service);
      await dataOf(service, 'POST', '/_local/v1/snapshots', { name: 'one' });
      const second = await drawn(service);
      await dataOf(service, 'POST', '/_local/v1/snapshots/one/restore');
      const from = await dataOf(service, 'POST', '/_local/v1/accounts', { name: 'Copy', from: 'one' });
      return [first, second, await drawn(service), [from.id, from['api_key'] as string]];
    };
    const [one, other] = [await story(), await story()];
    expect(other).toEqual(one);
    const all = one.flat().filter((each) => each !== one[0]!.at(-1));
    expect(new Set(all).size).toBe(all.length);
  },
);
