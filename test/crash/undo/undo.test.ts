import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Backend } from '#core/backend/backend.ts';
import { check } from '#core/cli/check.ts';
import { openFolder, type FolderOptions } from '#core/folder/open-folder.ts';
import { clockOf } from '../../helpers/clock.ts';
import { createWorld, dataOf, type World } from '../../contract/world.ts';
import { withSeed } from '../../helpers/chance.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { statesDuring, writeState, type FolderState } from './kill-states.ts';
import { seenAlong } from '../../helpers/some-runs.ts';

/*
 * Killed at any moment of a delete that can be undone, of its undo and of its end, the service comes back with all of it
 * or with nothing of it: tables, records and secrets say the same.
 */

vi.mock(import('#core/disk/files.ts'), async (original) => {
  const { watched } = await import('./kill-states.ts');
  const files = await original();
  return { ...files, nodeFiles: watched(files.nodeFiles) };
});

const DAY = 86_400_000_000;
const START = Date.UTC(2026, 2, 3) * 1000;
let now = START;
let running: RunningService;
let backend: Backend;
let world: World;
let folder: string;

const open = async (options: FolderOptions) => (backend = await openFolder(options));
const begin = async (directory: string, everyMs = 60_000) =>
  void (running = await runService(
    { directory, vault: 'file' },
    { clock: clockOf(() => now), open, sweeping: { everyMs } },
  ));

beforeEach(async () => {
  now = START;
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  await begin(join(folder, 'first'));
  world = await createWorld(running);
  await dataOf(running, 'DELETE', `/_local/v1/undo/${world.undo_id}`);
  await dataOf(running, 'PATCH', `${paths().device}/key-settings`, { key: 'temperature', unit: '°C' });
});
afterEach(async () => {
  await running.service.close();
  await rm(folder, { recursive: true });
});

function paths() {
  const project = `/_local/v1/projects/${world.project_id}`;
  return { project, device: `${project}/devices/${world.device_id}` };
}

/** All that can be read of the project and its device, and the secret of the device. */
async function everything(): Promise<unknown> {
  const { project, device } = paths();
  const v2 = device.replace('_local/v1', 'v2');
  const answers: Record<string, unknown> = {};
  for (const path of [
    project.replace('_local/v1', 'v2'),
    v2,
    `${v2}/data?page=1&limit=100&range=all`,
    `${device}/summary`,
    `${device}/notes`,
    `${project}/alarms`,
    `${device}/corrections`,
    `${device}/corrections/history`,
    `${project}/functions`,
    `${project}/widgets`,
    `${project}/key-settings`,
  ]) {
    const { status, envelope } = await running.request('GET', path);
    const text = JSON.stringify(envelope.data).replaceAll(running.service.base_url, 'BASE');
    // How many bytes they take on the disk is not what anybody stored.
    answers[path] = [status, JSON.parse(text.replaceAll(/"bytes":\d+/g, '"bytes":0'))];
  }
  return answers;
}

const kept = async () =>
  (await dataOf(running, 'GET', '/_local/v1/undo')) as unknown as readonly { readonly id: string }[];
const remove = async (path: string) =>
  ((await dataOf(running, 'DELETE', path)) as unknown as { undo: { id: string } }).undo.id;
const restore = (id: string) => dataOf(running, 'POST', `/_local/v1/undo/${id}`, {});

/** Nothing of what went for good is left: no record, no secret, nothing to be had back. */
async function expectGone(what: string): Promise<void> {
  const { device_id, project_id } = world;
  expect(await backend.records.kept(device_id)).toEqual([]);
  if (what.includes('records')) return;
  expect(await backend.records.isEmpty(device_id)).toBe(true);
  expect(await backend.vault.get({ kind: 'device-token', project_id, device_id })).toBeNull();
}

const RANGE = '?start=2026-03-02T20:31:00Z&end=2026-03-02T20:31:59Z';
const WHAT = {
  'all records': () => `${paths().device}/records`,
  'records of a range': () => `${paths().device}/records${RANGE}`,
  'a device': () => paths().device,
  'a project': () => paths().project,
};

type Expected = (isKept: boolean) => { readonly content: unknown; readonly isGone: boolean };

/** Whether there is something to be had back, in some of the states: each outcome that there is. */
const checkStates = (
  states: readonly FolderState[],
  expected: Expected,
  of: { readonly before: unknown; readonly what: string },
) =>
  withSeed((seed) =>
    seenAlong(states.length, seed, (nth) => checkState(states[nth]!, expected, { ...of, nth })),
  );

/** What the service finds in a state of its folder, and what it makes of it, is right; its folder is, too. */
async function checkState(
  state: FolderState,
  expected: Expected,
  { before, what, nth }: { readonly before: unknown; readonly what: string; readonly nth: number },
): Promise<boolean> {
  const directory = join(folder, `state-${nth}`);
  writeState(directory, state);
  await begin(directory);
  const list = await kept();
  const { content, isGone } = expected(list.length > 0);
  expect(await everything(), `state ${nth}`).toEqual(content);
  const { kept: said } = (await dataOf(running, 'GET', '/_local/v1/storage')) as unknown as {
    kept: { deletes: number };
  };
  expect(said.deletes).toBe(list.length);
  expect(running.logged.filter((line) => /does not know|could not/.test(line))).toEqual([]);
  if (isGone) await expectGone(what);
  for (const { id } of list) await restore(id);
  if (list.length > 0) expect(await everything(), `state ${nth}, had back`).toEqual(before);
  if (list.length > 0 || !isGone) expect(await backend.records.kept(world.device_id)).toEqual([]);
  await running.service.close();
  const lines: string[] = [];
  const output = { print: (line: string) => void lines.push(line), remark: () => {} };
  expect(await check(['--data', directory], output), lines.join('\n')).toBe(0);
  await rm(directory, { recursive: true });
  return list.length > 0;
}

const cases = Object.keys(WHAT) as (keyof typeof WHAT)[];
const seconds = 300_000;

test.each(cases)('deleting %s', { timeout: seconds }, async (what) => {
  const before = await everything();
  const states = await statesDuring(running.directory, async () => void (await remove(WHAT[what]())));
  const after = await everything();
  await running.service.close();
  const expected = (isKept: boolean) => ({ content: isKept ? after : before, isGone: false });
  const found = await checkStates(states, expected, { before, what });
  expect(found).toEqual(new Set([false, true]));
});

test.each(cases)('having %s back', { timeout: seconds }, async (what) => {
  const before = await everything();
  const id = await remove(WHAT[what]());
  const after = await everything();
  const states = await statesDuring(running.directory, async () => void (await restore(id)));
  await running.service.close();
  const expected = (isKept: boolean) => ({ content: isKept ? after : before, isGone: false });
  const found = await checkStates(states, expected, { before, what });
  expect(found).toEqual(new Set([false, true]));
});

test.each(cases.flatMap((what) => [[what, 'by hand'] as const, [what, 'when its time is up'] as const]))(
  'removing %s for good, %s',
  { timeout: seconds },
  async (what, how) => {
    const before = await everything();
    const id = await remove(WHAT[what]());
    const after = await everything();
    if (how === 'when its time is up') {
      await running.service.close();
      await begin(running.directory, 10);
    }
    const states = await statesDuring(running.directory, async () => {
      if (how === 'by hand') await dataOf(running, 'DELETE', `/_local/v1/undo/${id}`);
      else now = START + 30 * DAY;
      await expect.poll(kept).toEqual([]);
      await expect.poll(() => backend.metadata.read((tables) => tables.deletions())).toEqual([]);
    });
    await running.service.close();
    now = START;
    const expected = (isKept: boolean) => ({ content: after, isGone: !isKept });
    const found = await checkStates(states, expected, { before, what });
    expect(found).toEqual(new Set([false, true]));
  },
);
