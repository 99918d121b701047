import { afterEach, describe, expect, test } from 'vitest';
import type { ClockSetting } from '#core/base/rig-clock.ts';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { longestTurn } from '../helpers/service/longest-turn.ts';
import { createWorld, dataOf, RECORDS, type World } from './world.ts';

/* docs/rigs.md, "The clock": --clock, GET and PUT /_local/v1/clock, POST /_local/v1/clock/advance. */

const START = Date.UTC(2026, 2, 3) * 1000;
const DAY_MS = 86_400_000;
let service: RunningService;
let world: World;

async function start(clock: ClockSetting | null): Promise<void> {
  service = await runService({ vault: 'memory', clock }, { isAlone: true });
  world = await createWorld(service);
}
afterEach(() => service.stop());

const clockNow = () => dataOf(service, 'GET', '/_local/v1/clock');
const set = (body: unknown) => service.request('PUT', '/_local/v1/clock', { body });
const advance = (ms: number) => dataOf(service, 'POST', '/_local/v1/clock/advance', { ms });

test('a service that was not started for it lets nobody turn its clock, and tells the time to whoever may read', async () => {
  await start(null);
  const key = await world.issueKey(['read']);
  const { envelope } = await service.request('GET', '/_local/v1/clock', { key });
  expect(envelope.data).toMatchObject({
    mode: 'system',
    rate: 1,
    now: expect.stringMatching(/\.\d{6}Z$/) as string,
  });
  const refused = await set({ mode: 'frozen' });
  expect([refused.status, refused.envelope.message]).toEqual([
    403,
    expect.stringContaining('--clock frozen'),
  ]);
  const moved = await service.request('POST', '/_local/v1/clock/advance', { body: { ms: 1 } });
  expect(moved.status).toBe(403);
  expect((await service.request('PUT', '/_local/v1/clock', { key, body: { mode: 'frozen' } })).status).toBe(
    403,
  );
});

describe('a clock that stands', () => {
  test('is that of records, devices and keys, and moves when it is told to', async () => {
    await start({ mode: 'frozen', now: START });
    expect(await clockNow()).toEqual({ mode: 'frozen', rate: 0, now: '2026-03-03T00:00:00.000000Z' });
    const device = `/v2/projects/${world.project_id}/devices/${world.device_id}`;
    expect(await dataOf(service, 'GET', device)).toMatchObject({ last_seen: '2026-03-03T00:00:00.000000Z' });
    const { api_key: key } = (await dataOf(service, 'POST', '/_local/v1/keys', {
      name: 'for an hour',
      permissions: ['read'],
      expires_at: '2026-03-03T01:00:00Z',
    })) as unknown as { api_key: string };
    expect((await service.request('GET', '/v2/projects', { key })).status).toBe(200);
    expect(await advance(3_600_001)).toMatchObject({ now: '2026-03-03T01:00:00.001000Z' });
    expect((await service.request('GET', '/v2/projects', { key })).status).toBe(401);
    await service.request('POST', '/integrations/http', {
      key: world.device_token,
      body: { temperature: 23 },
    });
    const page = (await dataOf(
      service,
      'GET',
      `${device}/data?page=1&limit=1&range=all`,
    )) as unknown as object[];
    expect(page).toMatchObject([{ timestamp: '2026-03-03T01:00:00.001000Z' }]);
    const notes = (await dataOf(service, 'GET', '/_local/v1/status'))['notes'] as string[];
    expect(notes.join('\n')).toMatch(
      /The clock of this service stands at 2026-03-03T01:00:00\.001000Z \(--clock\)/,
    );
  });

  test.runIf(inFolder)(
    'keeps what was deleted until its days are over, and not longer than the answer to the move',
    async () => {
      await start({ mode: 'frozen', now: START });
      await dataOf(service, 'DELETE', `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`);
      const kept = async () =>
        ((await dataOf(service, 'GET', '/_local/v1/undo')) as unknown as unknown[]).length;
      expect(await kept()).toBe(2);
      expect(((await advance(29 * DAY_MS)) as unknown as { ran: number }).ran).toBeGreaterThan(1000);
      expect(await kept()).toBe(2);
      await advance(2 * DAY_MS);
      expect(await kept()).toBe(0);
    },
    120_000,
  );

  test('lets others have their turn while it moves by half a year', async () => {
    await start({ mode: 'frozen', now: START });
    const moving = advance(182 * DAY_MS);
    expect(await longestTurn(moving)).toBeLessThan(250);
    expect((await moving)['ran']).toBeGreaterThan(182 * 24);
  });

  test('is set to any time, also an earlier one, which is said', async () => {
    await start({ mode: 'frozen', now: START });
    const later = await set({ mode: 'frozen', now: '2027-01-01T00:00:00Z' });
    expect(later.envelope.data).toMatchObject({ now: '2027-01-01T00:00:00.000000Z' });
    expect((await set({ mode: 'frozen', now: '2020-01-01T00:00:00Z' })).status).toBe(200);
    const notes = (await dataOf(service, 'GET', '/_local/v1/status'))['notes'] as string[];
    expect(notes.join('\n')).toMatch(/was set to an earlier time/);
    const body = RECORDS.map(({ temperature }) => ({ temperature }));
    expect(
      (await service.request('POST', '/integrations/http', { key: world.device_token, body })).status,
    ).toBe(200);
  });

  test.each([
    [{ mode: 'slow' }, /^mode must be "system", "frozen" or "scaled"/],
    [{ mode: 'scaled' }, /^rate is required for mode "scaled"/],
    [{ mode: 'scaled', rate: 0 }, /^rate must be a number above 0/],
    [{ mode: 'frozen', rate: 2 }, /^rate is for mode "scaled"/],
    [{ mode: 'frozen', now: 'soon' }, /^now must be an ISO 8601 time/],
    [{ mode: 'system', now: '2026-01-01T00:00:00Z' }, /^now cannot be set in mode "system"/],
  ])('refuses %j', async (body, message) => {
    await start({ mode: 'frozen', now: START });
    const { status, envelope } = await set(body);
    expect([status, envelope.message]).toEqual([400, expect.stringMatching(message)]);
    expect(await clockNow()).toMatchObject({ now: '2026-03-03T00:00:00.000000Z' });
    const moved = await service.request('POST', '/_local/v1/clock/advance', { body: { ms: -1 } });
    expect([moved.status, moved.envelope.message]).toEqual([
      400,
      expect.stringMatching(/^ms must be a whole number/),
    ]);
  });
});

test('a clock that is scaled goes as fast as it is told, moves beside that, and can go as the machine’s again', async () => {
  await start({ mode: 'scaled', now: START, rate: 100_000 });
  const at = async () => Date.parse((await clockNow())['now'] as string);
  const first = await at();
  await expect.poll(at).toBeGreaterThan(first + 60_000);
  const before = await at();
  await advance(DAY_MS);
  expect(await at()).toBeGreaterThanOrEqual(before + DAY_MS);
  await set({ mode: 'system' });
  expect(await clockNow()).toMatchObject({ mode: 'system', rate: 1 });
  expect(Math.abs((await at()) - Date.now())).toBeLessThan(60_000);
  const { status, envelope } = await service.request('POST', '/_local/v1/clock/advance', { body: { ms: 1 } });
  expect([status, envelope.message]).toEqual([
    400,
    expect.stringMatching(/^ms moves a clock that is frozen or scaled/),
  ]);
});
