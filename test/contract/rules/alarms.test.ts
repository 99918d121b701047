import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alarm, AlarmsOfAll } from '#shared/operations/metadata/alarms.ts';
import { formatMicros } from '#shared/values/time.ts';
import { machineClock } from '#core/base/machine-clock.ts';
import type { StoredAlarm } from '#core/store/metadata/metadata-schema.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { anAlarm } from '../../suites/metadata/rows.ts';
import { createWorld, dataOf, without, type World } from '../world.ts';
import { alarmsOf, insertHolding, SINCE_RECORDS } from './holding.ts';

/* docs/functions.md, "Alarms". */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService();
  world = await createWorld(service);
  await service.metadata.change((tables) => tables.remove('alarms', world.alarm_id));
});
afterEach(() => service.stop());

const SECOND = 1_000_000;

/** Inserts alarms of a rule that is gone, one behind the other. */
async function insert(
  fields: readonly Partial<StoredAlarm>[],
  project_id = world.project_id,
): Promise<readonly string[]> {
  const now = machineClock.wallMs() * 1000;
  const function_id = randomUUID();
  const rows = fields.map((each, i) => {
    const at = now + i * SECOND;
    const times = { since: now, start: at, fired: at, raised: at, end: at + SECOND / 2, created: at };
    const of = { project_id, device_id: world.device_id, function_id };
    return { ...anAlarm(randomUUID(), of), ...times, ...each };
  });
  await service.metadata.change(async (tables) => {
    for (const row of rows) await tables.insert('alarms', row);
  });
  return rows.map(({ id }) => id);
}

const idsOf = (alarms: readonly Alarm[]) => alarms.map(({ id }) => id);
const ids = async (query = '') => idsOf(await alarmsOf(service, world.project_id, query));
const all = async (query = '', key?: string) => {
  const { envelope } = await service.request('GET', `/_local/v1/alarms${query}`, {
    ...(key !== undefined && { key }),
  });
  expect(envelope.message).toBe('Alarms retrieved successfully.');
  return envelope.data as unknown as AlarmsOfAll;
};
const SEEN = { at: 5, by: 'somebody', text: '' };

test('an alarm says all that a screen shows of it', async () => {
  const { rule_id, alarm_id } = await insertHolding(service, world);
  const [alarm, ...others] = await alarmsOf(service, world.project_id, '?state=open');
  expect(others).toEqual([]);
  expect(alarm).toEqual({
    id: alarm_id,
    project_id: world.project_id,
    project: 'Boiler room',
    device_id: world.device_id,
    device: 'ESP32',
    function_id: rule_id,
    rule: 'Too hot',
    condition: expect.objectContaining({ when: { key: 'temperature', above: 20 } }) as object,
    silenced_until: null,
    state: 'open',
    start: SINCE_RECORDS,
    fired: SINCE_RECORDS,
    end: null,
    raised: expect.stringMatching(/Z$/) as string,
    amended: null,
    withdrawn: null,
    acknowledged: null,
    acts: ['note', 'webhook'].map((what, i) => ({
      key: `${alarm_id}/${i}/raised`,
      event: 'raised',
      act: expect.objectContaining({ do: what }) as object,
      state: 'done',
      tries: 1,
      next: null,
      error: null,
    })),
  });
  const path = `/_local/v1/projects/${world.project_id}`;
  await dataOf(service, 'PATCH', `${path}/functions/${rule_id}`, { name: 'Other name' });
  await dataOf(service, 'PATCH', `${path}/devices/${world.device_id}`, { name: 'Boiler' });
  expect(await alarmsOf(service, world.project_id, '?state=open')).toMatchObject([
    { device: 'Boiler', rule: 'Too hot' },
  ]);
});

test('alarms are listed newest first, a page at a time, by what is asked of them', async () => {
  const [ended = '', seen = '', withdrawn = '', open = '', openSeen = ''] = await insert([
    {},
    { acknowledged: SEEN },
    { withdrawn: 1, acknowledged: SEEN },
    { end: null },
    { end: null, acknowledged: SEEN },
  ]);
  expect(await ids()).toEqual([openSeen, open, withdrawn, seen, ended]);
  expect(await ids('?state=open')).toEqual([openSeen, open]);
  expect(await ids('?state=ended')).toEqual([seen, ended]);
  expect(await ids('?state=withdrawn')).toEqual([withdrawn]);
  expect(await ids('?state=due')).toEqual([openSeen, open, ended]);
  expect(await ids(`?device_id=${world.device_id}&state=withdrawn`)).toEqual([withdrawn]);
  expect(await ids('?device_id=nobody')).toEqual([]);
  const [alarm] = await alarmsOf(service, world.project_id);
  expect(await ids(`?function_id=${alarm?.function_id}`)).toHaveLength(5);
  expect(await ids('?function_id=none')).toEqual([]);
  const { status, envelope, headers } = await service.request(
    'GET',
    `/_local/v1/projects/${world.project_id}/alarms?limit=2&page=2`,
  );
  expect([status, idsOf(envelope.data as unknown as readonly Alarm[])]).toEqual([200, [withdrawn, seen]]);
  expect(headers.get('x-total-count')).toBe('5');
  const refused = await service.request('GET', `/_local/v1/projects/${world.project_id}/alarms?state=seen`);
  expect([refused.status, refused.envelope.message]).toEqual([
    400,
    'state must be "open", "ended", "withdrawn" or "due", got "seen"',
  ]);
});

test('a span asks for alarms whose condition held in it', async () => {
  const [early = '', late = '', open = ''] = await insert([
    { start: 10 * SECOND, end: 20 * SECOND },
    { start: 30 * SECOND, end: 40 * SECOND },
    { start: 50 * SECOND, end: null },
  ]);
  const span = (start: number | null, end: number | null) => {
    const part = (name: string, s: number | null) =>
      s === null ? '' : `&${name}=${formatMicros(s * SECOND)}`;
    return ids(`?limit=10${part('start', start)}${part('end', end)}`);
  };
  expect(await span(null, 9)).toEqual([]);
  expect(await span(null, 10)).toEqual([early]);
  expect(await span(20, 30)).toEqual([late, early]);
  expect(await span(21, 29)).toEqual([]);
  expect(await span(41, 49)).toEqual([]);
  expect(await span(45, null)).toEqual([open]);
});

test('how many are open of a rule is exact, also where there are more than one answer has', async () => {
  const [function_id, other] = [randomUUID(), randomUUID()];
  const many = 1_003;
  await insert(Array.from({ length: many }, () => ({ function_id, end: null })));
  await insert([{ function_id: other, end: null, start: 1 }, { function_id: other }]);
  const { alarms, open_of } = await all('?state=due&limit=1000');
  expect(alarms).toHaveLength(1000);
  expect([open_of[function_id], open_of[other]]).toEqual([many, 1]);
});

test('of all projects come those that a key may see, and how many there are', async () => {
  const [here = ''] = await insert([{ end: null }]);
  const [roof = ''] = await insert([{ acknowledged: SEEN }], world.other_project_id);
  expect(idsOf((await all()).alarms).toSorted()).toEqual([here, roof].toSorted());
  expect(await all('?state=due&limit=1')).toMatchObject({
    as_of: expect.stringMatching(/Z$/) as string,
    open: 1,
    unacknowledged: 1,
    due: 1,
    total: 1,
    alarms: [{ id: here, project: 'Boiler room' }],
  });
  expect((await all()).open_of).toEqual({
    [world.project_id]: 1,
    [world.device_id]: 1,
    [(await all('?state=open')).alarms[0]?.function_id ?? '']: 1,
  });
  const ofRoof = await world.issueKey(['admin'], [world.other_project_id]);
  expect(await all('', ofRoof)).toMatchObject({
    open: 0,
    unacknowledged: 0,
    due: 0,
    open_of: {},
    total: 1,
    alarms: [{ id: roof }],
  });
  expect(await all('', world.strangers_key)).toMatchObject({ total: 0, alarms: [] });
  const path = `/_local/v1/projects/${world.project_id}/alarms`;
  expect((await service.request('GET', path, { key: ofRoof })).status).toBe(403);
  expect(
    (await service.request('POST', `${path}/${here}/acknowledge`, { key: ofRoof, body: {} })).status,
  ).toBe(403);
  const reader = await world.issueKey(without('admin'));
  for (const each of [path, '/_local/v1/alarms'])
    expect((await service.request('GET', each, { key: reader })).status).toBe(403);
  // One of another project is not found.
  expect((await service.request('POST', `${path}/${roof}/acknowledge`, { body: {} })).status).toBe(404);
});

test('somebody acknowledges an alarm, by name and in words, and others hear of it', async () => {
  const [id = ''] = await insert([{}]);
  const path = `/_local/v1/projects/${world.project_id}/alarms/${id}/acknowledge`;
  const window = openWindow(service.service);
  const heard: unknown[] = [];
  window.bridge.subscribe('alarms.changed', (payload) => heard.push(payload));
  const key = await world.issueKey(['admin']);
  const { envelope } = await service.request('POST', path, { key, body: { text: 'valve replaced' } });
  expect(envelope).toMatchObject({
    message: 'Alarm acknowledged successfully.',
    data: {
      id,
      device: 'ESP32',
      acknowledged: {
        by: 'made for a test',
        text: 'valve replaced',
        at: expect.stringMatching(/Z$/) as string,
      },
    },
  });
  expect(await ids('?state=due')).toEqual([]);
  await expect
    .poll(() => heard)
    .toMatchObject([{ project_id: world.project_id, device_id: world.device_id }]);
  const again = await window.bridge.call('alarms.acknowledge', {
    project_id: world.project_id,
    alarm_id: id,
  });
  expect(again.data).toMatchObject({ acknowledged: { by: 'app', text: '' } });
  const long = await service.request('POST', path, { body: { text: 'x'.repeat(501) } });
  expect([long.status, long.envelope.message.slice(0, 44)]).toEqual([
    400,
    'text must be text of at most 500 characters,',
  ]);
  const none = `/_local/v1/projects/${world.project_id}/alarms/none/acknowledge`;
  expect(await service.request('POST', none, { body: {} })).toMatchObject({
    status: 404,
    envelope: { message: 'Alarm not found.' },
  });
  window.close();
});

test('the audit trail tells who acknowledged an alarm, and nothing of what rules raise', async () => {
  const [id = ''] = await insert([{}]);
  const path = `/_local/v1/projects/${world.project_id}/alarms/${id}/acknowledge`;
  await dataOf(service, 'POST', path, { text: 'seen' });
  const trail = (await dataOf(service, 'GET', '/_local/v1/audit?limit=200')) as unknown as {
    readonly entries: readonly {
      readonly operation: string;
      readonly changes: readonly { table: string }[];
    }[];
  };
  const told = trail.entries.filter(({ changes }) => changes.some(({ table }) => table === 'alarms'));
  expect(told).toMatchObject([
    {
      operation: 'alarms.acknowledge',
      action: 'acknowledge alarm',
      changes: [{ table: 'alarms', id, after: { acknowledged: { text: 'seen' } } }],
    },
  ]);
});
