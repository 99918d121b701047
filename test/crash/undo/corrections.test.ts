import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { check } from '#core/cli/check.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { givenOf } from '#shared/operations/metadata/given-correction.ts';
import type { AuditEntry } from '#shared/operations/service/audit.ts';
import { entriesSince, lastOf, verifiedBy } from '../../contract/audit/told.ts';
import { createWorld, dataOf, type World } from '../../contract/world.ts';
import { withSeed } from '../../helpers/chance.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { statesDuring, writeState } from './kill-states.ts';
import { seenAlong } from '../../helpers/some-runs.ts';

/*
 * Killed at any moment of a correction that is made, changed, removed, merged or taken back, the service comes back with all of it or
 * with nothing of it, and the history and the audit trail say the same.
 */

vi.mock(import('#core/disk/files.ts'), async (original) => {
  const { watched } = await import('./kill-states.ts');
  const files = await original();
  return { ...files, nodeFiles: watched(files.nodeFiles) };
});

let running: RunningService;
let world: World;
let folder: string;

const begin = async (directory: string) =>
  void (running = await runService({ directory, vault: 'file' }, { isAlone: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  await begin(join(folder, 'first'));
  world = await createWorld(running);
});
afterEach(async () => {
  await running.service.close();
  await rm(folder, { recursive: true });
});

const project = () => `/_local/v1/projects/${world.project_id}`;
const corrections = (of = project()) => `${of}/devices/${world.device_id}/corrections`;
const one = () => `${corrections()}/${world.correction_id}`;
const flag = async () =>
  ((await dataOf(running, 'GET', corrections())) as unknown as readonly ShownCorrection[])[0] ?? null;

/** What is known of them, in whichever project the device is. */
async function everything(): Promise<unknown> {
  const found = [];
  for (const id of [world.project_id, world.other_project_id])
    for (const what of ['', '/history']) {
      const path = `${corrections(`/_local/v1/projects/${id}`)}${what}`;
      const { status, envelope } = await running.request('GET', path);
      found.push([path, status, envelope.data]);
    }
  return found;
}

/** What the audit trail tells of rows behind an entry: not of starts, and not of tokens that are to be removed after a move. */
async function toldSince(n: number): Promise<readonly AuditEntry[]> {
  const { harmed, findings } = await verifiedBy(running);
  expect(harmed, JSON.stringify(findings)).toBe(0);
  return (await entriesSince(running, n)).filter(
    ({ by, changes }) => by.kind !== 'service' && changes.length > 0,
  );
}

const WHAT: Readonly<Record<string, () => Promise<unknown>>> = {
  made: () => dataOf(running, 'POST', corrections(), { kind: 'derived', key: 'k', of: 'temperature * 2' }),
  changed: () => dataOf(running, 'PATCH', one(), { reason: 'window open' }),
  removed: () => dataOf(running, 'DELETE', one()),
  async 'taken back'() {
    const was = await flag();
    const edit = { device_id: world.device_id, correction_id: world.correction_id, be: null };
    const body = { corrections: [{ ...edit, was: was && givenOf(was) }] };
    return dataOf(running, 'POST', `${project()}/edits`, body);
  },
  merged: () => {
    const times = { changed: '2026-03-02T20:00:00Z', first: '2026-03-02T20:00:00Z' };
    const says = { kind: 'derived', key: 'm', of: 'temperature + 1' };
    const version = { correction_id: randomUUID(), version: 1, says, reason: '', by: 'K. Meyer', ...times };
    const further = { ...version, version: 2, says: { ...says, of: 'temperature + 2' } };
    const path = `${project()}/devices/${world.device_id}/sync/corrections`;
    return dataOf(running, 'POST', path, { versions: [version, further] });
  },
  'moved with its device': () =>
    dataOf(running, 'POST', `${project()}/devices/${world.device_id}/move`, { to: world.other_project_id }),
};

test.each(Object.keys(WHAT))('a correction that is %s', { timeout: 300_000 }, async (what) => {
  await dataOf(running, 'PATCH', one(), { reason: 'second version' });
  const before = await everything();
  const last = await lastOf(running);
  const states = await statesDuring(running.directory, async () => void (await WHAT[what]?.()));
  const after = await everything();
  expect(after).not.toEqual(before);
  const told = await toldSince(last);
  expect(told.flatMap(({ changes }) => changes.map(({ table }) => table))).toContain('corrections');
  await running.service.close();
  const look = async (nth: number): Promise<string> => {
    const directory = join(folder, `state-${nth}`);
    writeState(directory, states[nth]!);
    await begin(directory);
    const text = JSON.stringify(await everything());
    expect([JSON.stringify(before), JSON.stringify(after)], `state ${nth}`).toContain(text);
    expect(await toldSince(last), `state ${nth}`).toEqual(text === JSON.stringify(after) ? told : []);
    await running.service.close();
    const lines: string[] = [];
    const output = { print: (line: string) => void lines.push(line), remark: () => {} };
    expect(await check(['--data', directory], output), lines.join('\n')).toBe(0);
    await rm(directory, { recursive: true });
    return text;
  };
  const found = await withSeed((seed) => seenAlong(states.length, seed, look));
  expect(found.size).toBe(2);
});
