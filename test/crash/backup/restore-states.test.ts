import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sealSecrets } from '#core/backup/sealed-secrets.ts';
import { check } from '#core/cli/check.ts';
import { clockOf } from '../../helpers/clock.ts';
import { lastOf, verifiedBy } from '../../contract/audit/told.ts';
import { createWorld, dataOf, type World } from '../../contract/world.ts';
import { everythingOf } from '../../contract/access/everything.ts';
import { altered, answerTo, backupOf, backupWithSecrets } from '../../contract/backup/backups.ts';
import { withSeed } from '../../helpers/chance.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { statesDuring, writeState } from '../undo/kill-states.ts';
import { seenAlong } from '../../helpers/some-runs.ts';

/* Killed at any moment of a restore, the service comes back with all of it or with nothing of it, and its folder is whole. */

vi.mock(import('#core/disk/files.ts'), async (original) => {
  const { watched } = await import('../undo/kill-states.ts');
  const files = await original();
  return { ...files, nodeFiles: watched(files.nodeFiles) };
});

const now = Date.UTC(2026, 2, 3) * 1000;
let running: RunningService;
let folder: string;
let world: World;
/** Entries behind the last restore. */
let formerAtEnd: readonly string[] = [];
let other: { readonly device_id: string; readonly project_id: string };

const begin = async (directory: string) =>
  void (running = await runService({ directory, vault: 'file' }, { clock: clockOf(() => now) }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  await begin(join(folder, 'first'));
  world = await createWorld(running);
  const { id: project_id } = await dataOf(running, 'POST', '/_local/v1/projects', { name: 'Cellar' });
  const made = await dataOf(running, 'POST', `/v2/projects/${project_id}/devices`, {
    name: 'Pump',
    source: 'http',
  });
  other = { device_id: made.id, project_id };
  const { device_token } = made['metadata'] as { device_token: string };
  await running.request('POST', '/integrations/http', { key: device_token, body: { pressure: 3 } });
});
afterEach(async () => {
  await running.service.close();
  await rm(folder, { recursive: true });
});

/** All that can be read of both devices. */
async function everything(): Promise<unknown> {
  const both = [await everythingOf(running, world), await everythingOf(running, { ...world, ...other })];
  return JSON.parse(JSON.stringify(both).replaceAll(/"device_token":"[^"]*"/g, '"device_token":""'));
}

/** The token of the device that is lost, as it is shown: empty where the vault lacks it, null where the device is not there. */
async function tokenShown(): Promise<string | null> {
  const path = `/v2/projects/${other.project_id}/devices/${other.device_id}`;
  const { envelope } = await running.request('GET', path);
  const device = envelope.data as { device_credentials: { device_token: string } } | null;
  return device?.device_credentials.device_token ?? null;
}

async function* secretOf(id: string, secret: string) {
  yield [{ table: 'devices', id, secret } as const];
}

/** Removes a project for good, and a record of a device that stays. */
async function lose(): Promise<void> {
  const { undo } = await dataOf(running, 'DELETE', `/_local/v1/projects/${other.project_id}`);
  await dataOf(running, 'DELETE', `/_local/v1/undo/${(undo as { id: string }).id}`);
  const device = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
  await dataOf(running, 'DELETE', `${device}/records?start=2026-03-02T20:31:00Z&end=2026-03-02T20:31:59Z`);
}

/** The former trails that there are, which as the own one are as they were written; nothing else is beside them. */
async function formerTrails(): Promise<readonly string[]> {
  const { harmed, findings, former } = await verifiedBy(running);
  expect(harmed, JSON.stringify(findings)).toBe(0);
  const names = await readdir(join(running.directory, 'audit', 'former')).catch(() => []);
  expect(names).toHaveLength(former);
  return names;
}

/** Whether a restore that was cut off has happened, by each state that its folder had; with a passphrase, whether its secrets came, too. */
async function outcomesOf(
  file: Buffer,
  query: string,
  { passphrase, token }: { readonly passphrase?: string; readonly token: string | null },
): Promise<ReadonlySet<string>> {
  const before = await everything();
  const formerBefore = await formerTrails();
  const states = await statesDuring(running.directory, async () => {
    const { envelope, text } = await answerTo(running, file, query, passphrase);
    expect(envelope.success, text).toBe(true);
  });
  const after = await everything();
  expect(await tokenShown()).toBe(token);
  expect(after).not.toEqual(before);
  const formerAfter = await formerTrails();
  formerAtEnd = formerAfter;
  await running.service.close();
  return withSeed((seed) => seenAlong(states.length, seed, outcomeOf));

  async function outcomeOf(nth: number): Promise<string> {
    const state = states[nth]!;
    const directory = join(folder, `state-${nth}`);
    writeState(directory, state);
    await begin(directory);
    const found = await everything();
    const outcome = JSON.stringify(found) === JSON.stringify(before) ? 'nothing' : 'all';
    expect(found, `state ${nth} of ${states.length}`).toEqual(outcome === 'all' ? after : before);
    expect(await formerTrails()).toEqual(outcome === 'all' ? formerAfter : formerBefore);
    const shown = await tokenShown();
    expect([token, '', null]).toContain(shown);
    expect(running.logged.filter((line) => /does not know|could not|damaged/.test(line))).toEqual([]);
    // Once more, so that nothing of the first is in the way.
    const again = await answerTo(running, file, query, passphrase);
    expect(again.envelope.success, again.text).toBe(true);
    expect(await everything()).toEqual(after);
    expect(await formerTrails()).toEqual(formerAfter);
    expect(await tokenShown()).toBe(token);
    await running.service.close();
    const lines: string[] = [];
    const output = { print: (line: string) => void lines.push(line), remark: () => {} };
    expect(await check(['--data', directory], output), lines.join('\n')).toBe(0);
    await rm(directory, { recursive: true });
    return outcome === 'all' && shown !== token ? 'all but secrets' : outcome;
  }
}

test('a restore that brings back a project and a record', { timeout: 300_000 }, async () => {
  const file = await backupOf(running);
  await lose();
  expect(await outcomesOf(file, '', { token: '' })).toEqual(new Set(['nothing', 'all']));
});

test(
  'a restore with secrets, which the next one brings where they are missing',
  { timeout: 300_000 },
  async () => {
    const token = await tokenShown();
    expect(token).toMatch(/^\w{40}$/);
    // Sealed anew by a cost that takes no time: it is opened once more for each state.
    const { lines } = await sealSecrets(secretOf(other.device_id, token ?? ''), 'of a test', 16);
    const file = await altered(await backupWithSecrets(running, 'of a test'), 'secrets.enc', () =>
      Buffer.concat(lines).toString(),
    );
    await lose();
    expect(await tokenShown()).toBe(null);
    const found = await outcomesOf(file, '', { passphrase: 'of a test', token });
    expect(found).toEqual(new Set(['nothing', 'all but secrets', 'all']));
  },
);

test('a restore that replaces what is there', { timeout: 300_000 }, async () => {
  const file = await backupOf(running);
  await lose();
  const key = world.device_token;
  await running.request('POST', '/integrations/http', { key, body: { extra: 1 } });
  expect(await outcomesOf(file, '?replace=true', { token: '' })).toEqual(new Set(['nothing', 'all']));
});

test(
  'a restore with the audit trail of another installation, longer than before',
  { timeout: 300_000 },
  async () => {
    const early = await backupOf(running);
    const key = world.device_token;
    await running.request('POST', '/integrations/http', { key, body: { extra: 1 } });
    await dataOf(running, 'PATCH', `/_local/v1/projects/${other.project_id}`, { name: 'Cellar 2' });
    const file = await backupOf(running);
    const last = String(await lastOf(running)).padStart(10, '0');
    await running.service.close();
    await begin(join(folder, 'second'));
    await answerTo(running, early);
    expect(await formerTrails()).toHaveLength(1);
    expect(await outcomesOf(file, '', { token: '' })).toEqual(new Set(['nothing', 'all']));
    expect(formerAtEnd).toEqual([expect.stringContaining(`0000000001-${last}-`)]);
  },
);
