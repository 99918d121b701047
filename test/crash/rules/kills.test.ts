import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { openHookServer, type HookServer } from '../../contract/rules/hook-server.ts';
import { startServiceProcess, type ServiceProcess } from '../../helpers/service/service-process.ts';

/*
 * Killed between a record, its alarm, the acts of that and what became of them, the service comes back and does each act at least once, by
 * the same key; alarm and note are there once.
 */

const WAIT = { timeout: 30_000, interval: 20 };
let hooks: HookServer;
let folder: string;
let running: ServiceProcess;
let project: string;
let device: string;
let token: string;

const start = async () =>
  void (running = await startServiceProcess({ directory: join(folder, 'data'), args: ['--vault', 'file'] }));
const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const { success, message, data } = await running.call<T>(method, path, body);
  if (!success || data === null) throw new Error(`${method} ${path}: ${message}`);
  return data;
};
const alarms = () => ask<readonly Alarm[]>('GET', `/_local/v1/projects/${project}/alarms`);
const notes = () => ask<readonly Note[]>('GET', `/_local/v1/projects/${project}/devices/${device}/notes`);
async function store(t: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { status } = await running.fetch('/integrations/http', {
    method: 'POST',
    headers,
    body: JSON.stringify({ t }),
  });
  expect(status).toBe(200);
}

beforeEach(async () => {
  hooks = await openHookServer();
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  await start();
  ({ id: project } = await ask<{ id: string }>('POST', '/_local/v1/projects', { name: 'Plant' }));
  const made = await ask<{ metadata: { device_id: string; device_token: string } }>(
    'POST',
    `/v2/projects/${project}/devices`,
    { name: 'Boiler', source: 'http' },
  );
  ({ device_id: device, device_token: token } = made.metadata);
  await ask('PATCH', '/_local/v1/settings', { webhook_hosts: ['127.0.0.1'] });
  const condition = {
    when: { key: 't', above: 30 },
    acts: [{ do: 'webhook', url: hooks.url }, { do: 'note' }],
  };
  await ask('POST', `/_local/v1/projects/${project}/functions`, {
    device_id: device,
    name: 'Hot',
    type: 'rule',
    condition,
  });
});
afterEach(async () => {
  await running.kill();
  await hooks.close();
  await rm(folder, { recursive: true, force: true });
});

/** What holds at the end, whatever was killed: the events, and how often each came at most. */
async function holds(events: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    expect([...new Set(hooks.said.map(({ event }) => event))]).toEqual(events);
    const acts = (await alarms()).flatMap((alarm) => alarm.acts);
    expect(acts.map(({ state }) => state)).toEqual(acts.map(() => 'done'));
  }, WAIT);
  const [alarm, ...others] = await alarms();
  expect(others).toEqual([]);
  expect((await notes()).map(({ text }) => text)).toEqual(['Hot']);
  for (const { event, key, alarm: said } of hooks.said)
    expect([key, said.id]).toEqual([
      alarm?.acts.find((act) => act.event === event && act.act.do === 'webhook')?.key,
      alarm?.id,
    ]);
}

test('killed as soon as the record is stored, before anything is raised', async () => {
  await store(31);
  await running.kill();
  await start();
  await holds(['raised']);
});

test('killed as the webhook has it, before that is noted: it comes again by the same key', async () => {
  const met = new Promise<void>((resolve) => (hooks.meet = resolve));
  hooks.answers.push(500);
  await store(31);
  await met;
  await running.kill();
  hooks.meet = () => {};
  await start();
  await holds(['raised']);
  expect(hooks.said.length).toBeGreaterThan(1);
});

test('killed once the alarm is there, and again as it ends', async () => {
  await store(31);
  await vi.waitFor(async () => expect(await alarms()).toHaveLength(1), WAIT);
  await running.kill();
  await start();
  await store(20);
  await running.kill();
  await start();
  await holds(['raised', 'ended']);
  expect((await alarms())[0]?.state).toBe('ended');
  expect((await notes())[0]?.end).not.toBeNull();
});

test('killed at moments that nobody chooses, while it raises and ends', async () => {
  const rounds = 4;
  for (let round = 0; round < rounds; round++) {
    await store(round % 2 === 0 ? 31 : 20);
    await new Promise((resolve) => setTimeout(resolve, round * 15));
    await running.kill();
    await start();
  }
  await vi.waitFor(async () => {
    const all = await alarms();
    expect(all.map(({ state }) => state)).toEqual(['ended', 'ended']);
    expect(all.flatMap(({ acts }) => acts).every(({ state }) => state === 'done')).toBe(true);
    expect(await notes()).toHaveLength(2);
  }, WAIT);
  const keys = new Set((await alarms()).flatMap(({ acts }) => acts.map(({ key }) => key)));
  for (const { key } of hooks.said) expect(keys).toContain(key);
});
