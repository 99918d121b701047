import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MOST_RULES } from '#shared/domain/rules.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';
import { alarmOf, functionsOf, HOLDING, insertHolding } from './holding.ts';

/* Functions that are rules (docs/functions.md, "Rules"). */

let service: RunningService;
let world: World;
let functions: string;

beforeEach(async () => {
  service = await runService();
  world = await createWorld(service);
  functions = `/_local/v1/projects/${world.project_id}/functions`;
});
afterEach(() => service.stop());

const NEVER = { when: { key: 'temperature', above: 1000 } } as const;
const rule = (fields: object = {}) => ({
  device_id: world.device_id,
  name: 'Hot',
  type: 'rule',
  condition: NEVER,
  ...fields,
});
const create = async (fields: object = {}) =>
  (await dataOf(service, 'POST', functions, rule(fields))) as unknown as DeviceFunction;
const change = async (id: string, fields: object) =>
  (await dataOf(service, 'PATCH', `${functions}/${id}`, fields)) as unknown as DeviceFunction;
const get = async (id: string) =>
  (await dataOf(service, 'GET', `${functions}/${id}`)) as unknown as DeviceFunction;

async function refused(method: string, path: string, body: object): Promise<string> {
  const { status, envelope } = await service.request(method, path, { body });
  expect(status, envelope.message).toBe(400);
  return envelope.message;
}

const NO_DEVICE = 'must be the id of a device of this project';

test.each<[what: string, fields: object, message: string]>([
  ['no condition', { condition: null }, 'condition is required: it is the rule'],
  ['one of nothing', { condition: {} }, 'condition.when is required'],
  [
    'one of two kinds',
    { condition: { when: { key: 'a', above: 1, below: 2 } } },
    'condition.when must have one',
  ],
  [
    'a wrong number',
    { condition: { when: { key: 'a', above: '1' } } },
    'condition.when.above must be a number, got "1"',
  ],
  [
    'a name that no such condition has',
    { condition: { when: { key: 'a', above: 1, hysterese: 2 } } },
    'condition.when takes no "hysterese": it must be an object of key, above, hysteresis, got {',
  ],
  [
    'a name that no such act has',
    { condition: { ...NEVER, acts: [{ do: 'notify', tone: true }] } },
    'condition.acts.0 takes no "tone": it must be an object of do, sound, got {',
  ],
  ['a name that no rule has', { condition: { ...NEVER, for: 5 } }, 'condition takes no "for": it must be'],
  ['a wrong act', { condition: { ...NEVER, acts: [{ do: 'sing' }] } }, 'condition.acts.0'],
  [
    'no device and no tag',
    { device_id: null },
    `device_id is required: it ${NO_DEVICE}, or condition.devices`,
  ],
  [
    'a device and a tag',
    { condition: { ...NEVER, devices: { tag: 'x' } } },
    'device_id must be null for a rule',
  ],
  ['a device of nowhere', { device_id: 'nowhere' }, `device_id ${NO_DEVICE}, got "nowhere"`],
  [
    'another type without a device',
    { type: 'threshold', device_id: null },
    `device_id is required: it ${NO_DEVICE}`,
  ],
])('a rule with %s is refused, and says which field is wrong', async (_, fields, message) => {
  const before = await functionsOf(service, world.project_id);
  expect(await refused('POST', functions, rule(fields))).toContain(message);
  expect(await functionsOf(service, world.project_id)).toEqual(before);
});

test('a rule is made, read, changed and deleted; what runs no more says why', async () => {
  const made = await create();
  expect(made).toEqual({
    id: expect.any(String) as string,
    project_id: world.project_id,
    device_id: world.device_id,
    name: 'Hot',
    type: 'rule',
    enabled: true,
    script: null,
    condition: NEVER,
    since: expect.stringMatching(/Z$/) as string,
    silenced_until: null,
    problem: null,
  });
  expect(await get(made.id)).toEqual(made);
  expect(await functionsOf(service, world.project_id)).toContainEqual(made);
  expect(await refused('PATCH', `${functions}/${made.id}`, { condition: { when: {} } })).toContain(
    'condition.when must have one of',
  );
  expect(await refused('PATCH', `${functions}/${made.id}`, { device_id: null })).toContain(
    'device_id is required',
  );
  expect(await get(made.id)).toEqual(made);
  // As a backup of another version may have it.
  await service.metadata.change((tables) => tables.patch('functions', made.id, { condition: {} }));
  expect((await get(made.id)).problem).toContain('condition.when is required');
  expect((await change(made.id, { condition: NEVER })).problem).toBeNull();
  await dataOf(service, 'DELETE', `${functions}/${made.id}`);
  expect((await service.request('GET', `${functions}/${made.id}`)).status).toBe(404);
});

test('a rule begins anew where it watches for something else, and not where it is only renamed', async () => {
  const { id, since } = await create();
  for (const fields of [{ name: 'Hotter' }, { condition: NEVER }, { enabled: true }])
    expect((await change(id, fields)).since).toBe(since);
  const seen = [since];
  const tagged = { device_id: null, condition: { ...NEVER, devices: { tag: 'boiler' } } };
  for (const fields of [
    { condition: { ...NEVER, for_s: 5 } },
    { enabled: false },
    { enabled: true },
    tagged,
  ]) {
    const changed = await change(id, fields);
    expect(seen).not.toContain(changed.since);
    expect(changed).toMatchObject(fields);
    seen.push(changed.since);
  }
  expect(await change(id, { type: 'threshold', device_id: world.device_id, condition: null })).toMatchObject({
    since: null,
    problem: null,
  });
});

test('no other function gets another device', async () => {
  const path = `${functions}/${world.function_id}`;
  const other = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
    name: 'Other',
    source: 'http',
  });
  expect(await refused('PATCH', path, { device_id: other.id })).toBe(
    'device_id may be changed of a "rule" alone, not of a "decoder"',
  );
  expect(await refused('PATCH', path, { device_id: null })).toContain('device_id may be changed');
  expect(await get(world.function_id)).toMatchObject({ device_id: world.device_id });
});

test('a decoder that becomes a rule decodes no more', async () => {
  const decodes = async () =>
    (await service.metadata.read((tables) => tables.get('devices', world.device_id)))?.decodes ?? false;
  await change(world.function_id, { enabled: true });
  expect(await decodes()).toBe(true);
  await change(world.function_id, { type: 'rule', condition: NEVER });
  expect(await decodes()).toBe(false);
  await change(world.function_id, { type: 'decoder', condition: { payload: 'bytes' } });
  expect(await decodes()).toBe(true);
});

test(`a project has at most ${MOST_RULES} rules`, async () => {
  const { project_id, device_id } = world;
  const [row] = await service.metadata.read((tables) => tables.list('functions', { project_id }));
  if (!row) throw new TypeError('the world has a function');
  await service.metadata.change(async (tables) => {
    // One is there.
    for (let n = 2; n < MOST_RULES; n++)
      await tables.insert('functions', {
        ...row,
        id: `rule ${n}`,
        type: 'rule',
        device_id,
        enabled: false,
        condition: NEVER,
      });
  });
  const last = await create();
  expect(await refused('POST', functions, rule())).toBe(
    `a project holds at most ${MOST_RULES} rules; delete some first`,
  );
  expect(
    await refused('PATCH', `${functions}/${world.function_id}`, { type: 'rule', condition: NEVER }),
  ).toContain(`at most ${MOST_RULES} rules`);
  const roof = await dataOf(service, 'POST', `/v2/projects/${world.other_project_id}/devices`, {
    name: 'Chimney',
    source: 'http',
  });
  const there = `/_local/v1/projects/${world.other_project_id}`;
  await dataOf(service, 'POST', `${there}/functions`, rule({ device_id: roof.id }));
  expect(await refused('POST', `${there}/devices/${roof.id}/move`, { to: project_id })).toContain(
    `at most ${MOST_RULES} rules`,
  );
  // Those that are there may be changed.
  expect(await change(last.id, { enabled: false })).toMatchObject({ enabled: false });
});

test('a rule is silenced until a moment, and another function is not', async () => {
  const { id } = await create();
  const silence = (until: string | null, of = id) =>
    dataOf(service, 'POST', `${functions}/${of}/silence`, { until });
  const until = '2150-01-01T00:00:00.000000Z';
  expect(await silence(until)).toMatchObject({ id, silenced_until: until });
  // It stays through a change.
  expect(await change(id, { enabled: false })).toMatchObject({ silenced_until: until });
  expect(await silence('2001-01-01T00:00:00Z')).toMatchObject({ silenced_until: null });
  await silence(until);
  expect(await silence(null)).toMatchObject({ silenced_until: null });
  expect(await refused('POST', `${functions}/${world.function_id}/silence`, { until: null })).toBe(
    'The type of the function is "decoder"; only a "rule" is silenced.',
  );
  expect(await refused('POST', `${functions}/${id}/silence`, {})).toContain('until is required');
});

describe('what is open of the alarms of a rule ends', () => {
  const WAYS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'is deleted': (id) => dataOf(service, 'DELETE', `${functions}/${id}`),
    'is switched off': (id) => change(id, { enabled: false }),
    'is changed': (id) => change(id, { condition: { ...HOLDING, for_s: 1 } }),
    'is of another type': (id) => change(id, { type: 'threshold' }),
  };

  test.each(Object.keys(WAYS))('when it %s, with its note and what was done of it', async (way) => {
    const { rule_id, alarm_id, note_id } = await insertHolding(service, world);
    const other = await insertHolding(service, world, { name: 'Other' });
    expect(await alarmOf(service, world.project_id, alarm_id)).toMatchObject({ state: 'open', end: null });
    const heard: string[] = [];
    const window = openWindow(service.service);
    for (const topic of ['alarms.changed', 'notes.changed'] as const)
      window.bridge.subscribe(topic, ({ device_id }) => heard.push(`${topic} ${device_id}`));
    await WAYS[way]?.(rule_id);
    const ended = await alarmOf(service, world.project_id, alarm_id);
    expect(ended).toMatchObject({
      state: 'ended',
      rule: 'Too hot',
      end: expect.stringMatching(/Z$/) as string,
    });
    expect(ended?.condition).toBeNull();
    expect(ended?.acts.map(({ event, act }) => [event, act.do])).toEqual([
      ['raised', 'note'],
      ['raised', 'webhook'],
      ['ended', 'webhook'],
    ]);
    const notes = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/notes`;
    const found = (await dataOf(service, 'GET', notes)) as unknown as readonly Note[];
    expect(found.find(({ id }) => id === note_id)).toMatchObject({ end: ended?.end });
    expect(found.find(({ id }) => id === other.note_id)).toMatchObject({ end: null });
    expect(await alarmOf(service, world.project_id, other.alarm_id)).toMatchObject({ state: 'open' });
    await expect
      .poll(() => new Set(heard))
      .toEqual(new Set([`alarms.changed ${world.device_id}`, `notes.changed ${world.device_id}`]));
    window.close();
  });

  test('and nothing is done of it while the rule is silenced', async () => {
    const { rule_id, alarm_id } = await insertHolding(service, world);
    await dataOf(service, 'POST', `${functions}/${rule_id}/silence`, { until: '2150-01-01T00:00:00Z' });
    expect(await alarmOf(service, world.project_id, alarm_id)).toMatchObject({
      silenced_until: '2150-01-01T00:00:00.000000Z',
      condition: HOLDING,
    });
    await dataOf(service, 'DELETE', `${functions}/${rule_id}`);
    const ended = await alarmOf(service, world.project_id, alarm_id);
    expect(ended?.state).toBe('ended');
    expect(ended?.acts.filter(({ event }) => event === 'ended')).toEqual([]);
  });
});
