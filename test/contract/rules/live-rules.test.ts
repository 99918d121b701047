import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { formatMicros } from '#shared/values/time.ts';
import { PRESENT } from '../../helpers/clock.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';
import { openHookServer, type HookServer } from './hook-server.ts';

/* Rules that are judged while records come (docs/functions.md, "Firings" to "Acts"). */

const WAIT = { timeout: 20_000, interval: 20 };
let service: RunningService;
let world: World;
let hooks: HookServer;
let device: string;
let made: number;

beforeEach(async () => {
  hooks = await openHookServer();
  made = 0;
});
afterEach(async () => {
  await service.stop();
  await hooks.close();
});

async function start(overrides: Parameters<typeof runService>[0] = {}): Promise<void> {
  service = await runService(overrides);
  world = await createWorld(service);
  await dataOf(service, 'PATCH', '/_local/v1/settings', { webhook_hosts: ['127.0.0.0/8'] });
  const project = `/_local/v1/projects/${world.project_id}`;
  device = `${project}/devices/${world.device_id}`;
}
const undoPath = '/_local/v1/undo';
const functions = () => `/_local/v1/projects/${world.project_id}/functions`;
const alarms = async () =>
  (await dataOf(service, 'GET', `/_local/v1/projects/${world.project_id}/alarms`)) as unknown as Alarm[];
const ofRule = async ({ id }: { readonly id: string }) =>
  (await alarms()).filter(({ function_id }) => function_id === id);
async function addRule(condition: object): Promise<DeviceFunction> {
  const webhook = { do: 'webhook', url: hooks.url };
  const rule = {
    device_id: world.device_id,
    name: `Hot ${made++}`,
    type: 'rule',
    condition: { acts: [webhook, { do: 'note' }], ...condition },
  };
  return (await dataOf(service, 'POST', functions(), rule)) as unknown as DeviceFunction;
}
async function store(records: readonly object[]): Promise<void> {
  const raw = { type: 'application/json', bytes: JSON.stringify(records) };
  const { status } = await service.request('POST', '/integrations/http', { key: world.device_token, raw });
  expect(status).toBe(200);
}
/** A minute of the test's hour, which lies ahead: what ended before a rule was made raises nothing. */
const HOUR = Math.ceil(PRESENT / 3_600_000_000) * 3_600_000_000 + 3_600_000_000;
const at = (minute: number) => formatMicros(HOUR + minute * 60_000_000);
const record = (minute: number, t: number) => ({ timestamp: at(minute), t });
const events = () => hooks.said.map(({ event }) => event);

test('a record raises, one below ends, a late one amends, a removal withdraws and its undo raises again, each said once', async () => {
  await start();
  const rule = await addRule({ when: { key: 't', above: 30 }, values: true });
  await store([record(0, 20), record(10, 31)]);
  await vi.waitFor(() => expect(events()).toEqual(['raised']), WAIT);
  expect(hooks.said[0]?.values).toEqual([{ key: 't', value: 31, timestamp: at(10) }]);
  const [open] = await ofRule(rule);
  expect(open).toMatchObject({ state: 'open', start: at(10), end: null });
  await store([record(20, 20)]);
  await vi.waitFor(() => expect(events()).toEqual(['raised', 'ended']), WAIT);
  await store([record(5, 32)]);
  await vi.waitFor(() => expect(events()).toEqual(['raised', 'ended', 'amended']), WAIT);
  expect(hooks.said[2]?.alarm).toMatchObject({ id: open?.id, start: at(5) });
  const range = `start=${at(0)}&end=${at(30)}`;
  const { undo } = (await dataOf(service, 'DELETE', `${device}/records?${range}`)) as {
    undo?: { id: string };
  };
  expect(undo).toBeDefined();
  await vi.waitFor(() => expect(events().at(-1)).toBe('withdrawn'), WAIT);
  await dataOf(service, 'POST', `${undoPath}/${undo?.id ?? ''}`);
  await vi.waitFor(
    () => expect(events()).toEqual(['raised', 'ended', 'amended', 'withdrawn', 'raised']),
    WAIT,
  );
  await vi.waitFor(
    async () =>
      expect(
        (await ofRule(rule)).map(({ id, state, acts }) => [
          id,
          state,
          acts.every((act) => act.state === 'done'),
        ]),
      ).toEqual([[open?.id, 'ended', true]]),
    WAIT,
  );
  const notes = (await dataOf(service, 'GET', `${device}/notes`)) as unknown as readonly {
    text: string;
    start: string;
    end: string;
  }[];
  expect(notes.filter(({ text }) => text.startsWith('Hot'))).toEqual([
    expect.objectContaining({ text: 'Hot 0', start: at(5), end: at(20) }),
  ]);
  expect(new Set(hooks.said.map(({ key }) => key)).size).toBe(5);
});

test('a webhook of this machine is not reached as long as no administrator allows it, and the alarm says why', async () => {
  await start();
  await dataOf(service, 'PATCH', '/_local/v1/settings', { webhook_hosts: [] });
  const rule = await addRule({ when: { key: 't', above: 30 } });
  await store([record(0, 31)]);
  await vi.waitFor(
    async () =>
      expect((await ofRule(rule))[0]?.acts[0]).toMatchObject({
        state: 'waiting',
        error: expect.stringContaining('webhook_hosts') as string,
      }),
    WAIT,
  );
  expect(hooks.said).toEqual([]);
  await dataOf(service, 'PATCH', '/_local/v1/settings', { webhook_hosts: ['127.0.0.1'] });
  await vi.waitFor(() => expect(events()).toEqual(['raised']), WAIT);
});

test('a clock that stands raises by records, and by time as it is moved on', async () => {
  await start({ clock: { mode: 'frozen', now: Date.UTC(2026, 4, 1, 10) * 1000 } });
  const rule = await addRule({ when: { silent_s: 600 } });
  await vi.waitFor(async () => expect(await ofRule(rule)).toHaveLength(1), WAIT);
  await store([{ timestamp: '2026-05-01T10:00:00Z', t: 20 }]);
  // It was silent before the rule was made alone.
  await vi.waitFor(
    async () => expect((await ofRule(rule)).map(({ state }) => state)).toEqual(['withdrawn']),
    WAIT,
  );
  await vi.waitFor(async () => {
    await dataOf(service, 'POST', '/_local/v1/clock/advance', { ms: 60_000 });
    const raised = (await ofRule(rule)).filter(({ state }) => state === 'open');
    expect(raised.map((alarm) => [alarm.start, alarm.raised])).toEqual([
      ['2026-05-01T10:10:00.000000Z', '2026-05-01T10:10:00.000000Z'],
    ]);
  }, WAIT);
});

test('settings of webhooks and mails are kept, refused in words, and the password is told to nobody', async () => {
  await start();
  const settings = '/_local/v1/settings';
  const mail = { host: '127.0.0.1', port: 1, security: 'none', from: 'alarms@lab.example', user: 'u' };
  const wrong = async (body: object) => (await service.request('PATCH', settings, { body })).envelope.message;
  expect(await wrong({ webhook_hosts: ['http://a'] })).toContain('webhook_hosts must be a name');
  expect(await wrong({ mail: { ...mail, port: 0 } })).toContain('mail.port');
  expect(await wrong({ mail: { ...mail, from: 'a\r\nBcc: b@c.example' } })).toContain(
    'mail.from must be an e-mail address',
  );
  expect(await wrong({ mail: { ...mail, security: 'ssl' } })).toContain(
    '"tls", "starttls" or "none"'.replaceAll('"', ''),
  );
  const set = await dataOf(service, 'PATCH', settings, { mail: { ...mail, password: 'hidden word' } });
  expect(set).toMatchObject({
    mail: { ...mail, has_password: true },
    webhook_hosts: ['127.0.0.0/8'],
    keep_days: 30,
  });
  expect(JSON.stringify(set)).not.toContain('hidden word');
  expect(
    await dataOf(service, 'PATCH', settings, { mail: { ...mail, from: 'b@lab.example' } }),
  ).toMatchObject({ mail: { has_password: true } });
  expect(
    await dataOf(service, 'PATCH', settings, { mail: { ...mail, host: 'other.example' } }),
  ).toMatchObject({ mail: { has_password: false } });
  expect(await dataOf(service, 'PATCH', settings, { mail })).toMatchObject({ mail: { has_password: false } });
  const tried = await dataOf(service, 'POST', `${settings}/test-mail`, { to: 'a@b.example' });
  expect(tried).toEqual({ sent: false, problem: expect.stringContaining('did not take it') as string });
  expect(await dataOf(service, 'PATCH', settings, { mail: null })).toMatchObject({ mail: null });
  expect(await dataOf(service, 'POST', `${settings}/test-mail`, { to: 'a@b.example' })).toMatchObject({
    sent: false,
    problem: expect.stringContaining('No mail server') as string,
  });
});
