import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openFolder, type FolderOptions } from '#core/folder/open-folder.ts';
import { openZip } from '#core/handover/verify/read-zip.ts';
import { inMemory } from '../../fuzz/handover/package.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli, spawnCli } from '../../helpers/service/service-process.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* docs/hand-over.md: what becomes of a package where records come or go, or somebody ends it, while it is written. */

let service: RunningService;
let world: World;
let folder: string;
/** Called once where a package is half written: behind what was gathered, before it is looked whether that still holds. */
let halfway: (() => Promise<void>) | null = null;

const open = async (options: FolderOptions) => {
  const backend = await openFolder(options);
  const { trail } = backend.metadata;
  const lines = trail.lines.bind(trail);
  Object.assign(trail, {
    async *lines() {
      const before = halfway;
      halfway = null;
      await before?.();
      yield* lines();
    },
  });
  return backend;
};

beforeAll(async () => {
  service = await runService({ vault: 'file' }, { open });
  world = await createWorld(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-handover-'));
  halfway = null;
  return () => rm(folder, { recursive: true, force: true });
});

const words = (...more: readonly string[]) => [
  'handover',
  'Boiler room/ESP32',
  '--out',
  join(folder, 'p.zip'),
  '--data',
  service.directory,
  ...more,
];
const store = (body: object) =>
  service.request('POST', '/integrations/http', { key: world.device_token, body });
const device = () => `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;

/** Hands over, and does something half way. */
async function handOverWhile(work: () => Promise<unknown>, ...more: readonly string[]) {
  let isDone = false;
  halfway = async () => {
    await work();
    isDone = true;
  };
  const made = await runCli(words(...more));
  expect(isDone).toBe(true);
  return made;
}

async function recordsIn(): Promise<string> {
  const { entries } = await openZip(inMemory(await readFile(join(folder, 'p.zip'))));
  const found = entries.filter(({ name }) => name.endsWith('records-raw.csv'));
  return Buffer.concat(await Promise.all(found.map(({ content }) => buffer(content())))).toString();
}

const jobs = async () =>
  (
    (await dataOf(service, 'GET', '/_local/v1/jobs')) as unknown as readonly { id: string; kind: string }[]
  ).filter(({ kind }) => kind === 'handover');

describe.runIf(inFolder)('while a package is written', () => {
  test('a record that comes late into its span has nothing handed over, and it says so', async () => {
    const late = { ...RECORDS[0], late: 1 };
    const made = await handOverWhile(() => store(late));
    expect(made.code).toBe(1);
    expect(made.stderr).toContain(
      'nothing of it was kept: The records of ESP32 changed while they were handed over, and nothing is. Try again, or name an end before what still comes.',
    );
    expect(await readdir(folder)).toEqual([]);
    expect(await runCli(words())).toMatchObject({ code: 0, stderr: '' });
    expect(await recordsIn()).toContain('late');
  });

  test('so has one that is removed', async () => {
    await store({ timestamp: '2026-03-01T00:00:00Z', extra: 7 });
    const span = 'start=2026-03-01T00:00:00Z&end=2026-03-01T00:00:00Z';
    const made = await handOverWhile(() => dataOf(service, 'DELETE', `${device()}/records?${span}`));
    expect([made.code, made.stderr]).toEqual([1, expect.stringContaining('The records of ESP32 changed')]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('so has one that is removed where another one comes in its place', async () => {
    await store({ timestamp: '2026-03-01T00:00:00Z', extra: 7 });
    const span = 'start=2026-03-01T00:00:00Z&end=2026-03-01T00:00:00Z';
    const made = await handOverWhile(async () => {
      await dataOf(service, 'DELETE', `${device()}/records?${span}`);
      await store({ timestamp: '2026-03-01T00:00:00Z', extra: 8 });
    });
    expect([made.code, made.stderr]).toEqual([1, expect.stringContaining('The records of ESP32 changed')]);
  });

  test('one that comes behind its last one is not in it, and it is as it was signed', async () => {
    const made = await handOverWhile(() => store({ timestamp: '2026-03-03T12:00:00Z', newer: 5 }));
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(await recordsIn()).not.toContain('2026-03-03T12:00:00');
    const verified = await runCli(['verify', join(folder, 'p.zip')]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('It is as it was signed.')]);
  });

  test('Ctrl+C ends it on both sides, and leaves no file', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    halfway = () => {
      reached.resolve();
      return goOn.promise;
    };
    const child = spawnCli(words());
    const stderr = buffer(child.stderr);
    const closed = once(child, 'close') as Promise<[number | null]>;
    await reached.promise;
    expect(await jobs()).toHaveLength(1);
    child.kill('SIGINT');
    const [code] = await closed;
    goOn.resolve();
    expect(code).not.toBe(0);
    expect((await stderr).toString()).toContain('nothing of it was kept: it was interrupted');
    expect(await readdir(folder)).toEqual([]);
    await vi.waitFor(async () => expect(await jobs()).toEqual([]));
  });

  test('the app that cancels it gets no package, and its job ends', async () => {
    const cancel = new AbortController();
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    halfway = () => {
      reached.resolve();
      return goOn.promise;
    };
    const pieces: Uint8Array[] = [];
    const coming = service.bridge.download(
      'handover.get',
      { devices: [world.device_id] },
      (bytes) => void pieces.push(Buffer.from(bytes)),
      { signal: cancel.signal },
    );
    await reached.promise;
    cancel.abort(new Error('It was cancelled.'));
    await expect(coming).rejects.toThrow('It was cancelled.');
    goOn.resolve();
    await vi.waitFor(async () => expect(await jobs()).toEqual([]));
    // Without its end nothing takes it for a package.
    await expect(openZip(inMemory(Buffer.concat(pieces)))).rejects.toThrow();
  });

  test('whoever cancels its job ends it, and the one who asked hears that', async () => {
    const made = await handOverWhile(async () => {
      const [job] = await jobs();
      await dataOf(service, 'POST', '/_local/v1/jobs/cancel', { id: job?.id });
    });
    expect(made.code).toBe(1);
    expect(made.stderr).toContain(
      'nothing of it was kept: the connection to the service was lost before its end.',
    );
    expect(made.stderr).not.toContain('aborted');
    expect(await readdir(folder)).toEqual([]);
    expect(await jobs()).toEqual([]);
  });
});
