import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { backupOf, restored } from '../backup/backups.ts';
import { createWorld, dataOf, type World } from '../world.ts';
import { alarmOf, alarmsOf, functionsOf, insertHolding, type Holding } from './holding.ts';

/* What carries rules and alarms along (docs/functions.md, "Alarms"). */

const TAG = 'boiler';
let service: RunningService;
let world: World;
/** A rule of the device, and one by its tag. */
let own: Holding;
let byTag: Holding;

beforeEach(async () => {
  service = await runService();
  world = await createWorld(service);
  await dataOf(service, 'PATCH', device(), { tags: [TAG] });
  own = await insertHolding(service, world);
  byTag = await insertHolding(service, world, { tag: TAG, name: 'Any boiler too hot' });
});
afterEach(() => service.stop());

const project = () => `/_local/v1/projects/${world.project_id}`;
const device = () => `${project()}/devices/${world.device_id}`;
const alarms = (of = service, project_id = world.project_id) => alarmsOf(of, project_id);
const rules = async (of = service, project_id = world.project_id) =>
  (await functionsOf(of, project_id)).filter(({ type }) => type === 'rule');
const both = async (of = service) => [await rules(of), await alarms(of)];
const stateOf = async ({ alarm_id }: Holding, of = service, project_id = world.project_id) =>
  (await alarmOf(of, project_id, alarm_id))?.state;
const undo = async (path: string) => {
  const { undo: kept } = await dataOf(service, 'DELETE', path);
  return async () =>
    void (await dataOf(service, 'POST', `/_local/v1/undo/${(kept as { id: string }).id}`, {}));
};
const path = ({ rule_id }: Holding) => `${project()}/functions/${rule_id}`;

describe('a device that is deleted', () => {
  test('takes its rules and all of its alarms along, and comes back with them; a rule by tag stays', async () => {
    const before = await both();
    const restore = await undo(device());
    expect((await rules()).map(({ id }) => id)).toEqual([world.rule_id, byTag.rule_id]);
    expect(await alarms()).toEqual([]);
    await restore();
    expect(await both()).toEqual(before);
  });

  test('comes back with alarms that ended where their rule watches no more', async () => {
    const third = await insertHolding(service, world, { tag: TAG, name: 'Switched off' });
    const restore = await undo(device());
    await dataOf(service, 'DELETE', path(byTag));
    await dataOf(service, 'PATCH', path(third), { enabled: false });
    await restore();
    expect(await stateOf(own)).toBe('open');
    for (const each of [byTag, third]) expect(await stateOf(each)).toBe('ended');
  });

  test('for good has no alarm any more', async () => {
    await dataOf(service, 'DELETE', `/v2/projects/${world.project_id}/devices/${world.device_id}`);
    expect(await service.metadata.read((tables) => tables.list('alarms'))).toEqual([]);
  });
});

test('a project that is deleted comes back with its rules and alarms', async () => {
  const before = await both();
  const restore = await undo(project());
  expect(await service.metadata.read((tables) => tables.list('alarms'))).toEqual([]);
  expect((await service.request('GET', `${project()}/alarms`)).status).toBe(404);
  await restore();
  expect(await both()).toEqual(before);
});

test('a device that moves takes its rules and alarms along; what is open of a rule by tag ends', async () => {
  await dataOf(service, 'POST', `${device()}/move`, { to: world.other_project_id });
  const there = world.other_project_id;
  expect(await alarms()).toEqual([]);
  expect((await rules()).map(({ id }) => id)).toEqual([world.rule_id, byTag.rule_id]);
  expect((await rules(service, there)).map(({ id }) => id)).toEqual([own.rule_id]);
  expect(await stateOf(own, service, there)).toBe('open');
  expect(await alarmOf(service, there, byTag.alarm_id)).toMatchObject({
    state: 'ended',
    rule: 'Any boiler too hot',
    project: 'Roof',
  });
  await dataOf(service, 'DELETE', project());
  expect(await stateOf(own, service, there)).toBe('open');
});

// A lab has no snapshots, and backups of its own.
describe.skipIf(inDatabase)('of a data directory', () => {
  test('a snapshot has rules and alarms, and puts them back', async () => {
    const before = await both();
    await dataOf(service, 'POST', '/_local/v1/snapshots', { name: 'open' });
    await dataOf(service, 'DELETE', path(own));
    await dataOf(service, 'POST', `${project()}/alarms/${byTag.alarm_id}/acknowledge`, { text: 'seen' });
    expect(await both()).not.toEqual(before);
    await dataOf(service, 'POST', '/_local/v1/snapshots/open/restore', {});
    expect(await both()).toEqual(before);
  });

  test('a world that begins as a snapshot has them under ids of its own, and does nothing that waited', async () => {
    await service.metadata.change(async (tables) => {
      const row = await tables.get('alarms', own.alarm_id);
      const acts = row?.acts.map((each, i) =>
        i === 1 ? { ...each, state: 'waiting' as const, next: 1 } : each,
      );
      await tables.patch('alarms', own.alarm_id, { acts });
    });
    await dataOf(service, 'DELETE', path(byTag));
    await dataOf(service, 'POST', '/_local/v1/snapshots', { name: 'open' });
    const { api_key } = await dataOf(service, 'POST', '/_local/v1/accounts', { name: 'Copy', from: 'open' });
    const key = api_key as string;
    const ask = async (at: string) => (await service.request('GET', at, { key })).envelope.data as unknown;
    const projects = (await ask('/v2/projects')) as readonly { readonly id: string; readonly name: string }[];
    const id = projects.find(({ name }) => name === 'Boiler room')?.id ?? '';
    const copies = (await ask(`/_local/v1/projects/${id}/alarms`)) as Awaited<ReturnType<typeof alarms>>;
    const functions = (await ask(`/_local/v1/projects/${id}/functions`)) as Awaited<ReturnType<typeof rules>>;
    const former = await alarms();
    expect(copies.map(({ rule: name, state }) => [name, state])).toEqual(
      former.map(({ rule: name, state }) => [name, state]),
    );
    const ids = new Set(
      former.flatMap((each) => [each.id, each.function_id, each.device_id, each.project_id]),
    );
    for (const each of copies)
      for (const one of [each.id, each.function_id, each.device_id, each.project_id])
        expect(ids.has(one)).toBe(false);
    const copy = copies.find(({ state }) => state === 'open');
    expect(functions.filter(({ type }) => type === 'rule').map(({ id: one }) => one)).toContain(
      copy?.function_id,
    );
    expect(functions.find(({ id: one }) => one === copy?.function_id)?.device_id).toBe(copy?.device_id);
    // One that watches by tag has no device there, either.
    expect(functions.filter(({ type, device_id }) => type === 'rule' && device_id === null)).toHaveLength(1);
    expect(copy?.acts.map(({ state, next }) => [state, next])).toEqual([
      ['done', null],
      ['failed', null],
    ]);
    expect(copy?.acts[1]?.error).toBe('It was asked for in the world that this one is a copy of.');
    const keys = copies.flatMap(({ acts }) => acts.map(({ key: one }) => one));
    expect(new Set(keys).size).toBe(keys.length);
    for (const one of former.flatMap(({ acts }) => acts.map((act) => act.key)))
      expect(keys).not.toContain(one);
  });

  test('a backup has them, of all and of a project; of a device without rules by tag', async () => {
    const before = await both();
    for (const query of ['', `?project_id=${world.project_id}`]) {
      const elsewhere = await runService({ vault: 'memory' });
      try {
        const file = await backupOf(service, query);
        await restored(elsewhere, file);
        expect(await both(elsewhere)).toEqual(before);
        await restored(elsewhere, file);
        expect(await both(elsewhere)).toEqual(before);
      } finally {
        await elsewhere.stop();
      }
    }
    const elsewhere = await runService({ vault: 'memory' });
    try {
      await restored(elsewhere, await backupOf(service, `?device_id=${world.device_id}`));
      expect((await rules(elsewhere)).map(({ id }) => id)).toEqual([own.rule_id]);
      expect(await stateOf(own, elsewhere)).toBe('open');
      // Its rule is not there.
      expect(await stateOf(byTag, elsewhere)).toBe('ended');
    } finally {
      await elsewhere.stop();
    }
  });

  test('a restore over what is there leaves alarms as they are, and a rule that it replaces begins anew', async () => {
    const file = await backupOf(service);
    await dataOf(service, 'POST', `${project()}/alarms/${byTag.alarm_id}/acknowledge`, { text: 'seen' });
    const changed = await dataOf(service, 'PATCH', path(own), {
      condition: { when: { key: 'x', above: 1 } },
    });
    const ended = await alarmOf(service, world.project_id, own.alarm_id);
    await restored(service, file);
    expect(await dataOf(service, 'GET', path(own))).toEqual(changed);
    await restored(service, file, '?replace=true');
    const again = await dataOf(service, 'GET', path(own));
    expect(again).toMatchObject({ condition: { when: { key: 'temperature', above: 20 } } });
    expect(again['since']).not.toBe(changed['since']);
    // Its webhook is tried meanwhile.
    const still = { ...ended, acts: expect.any(Array) as unknown };
    expect(await alarmOf(service, world.project_id, own.alarm_id)).toMatchObject(still);
    expect(await alarmOf(service, world.project_id, byTag.alarm_id)).toMatchObject({
      state: 'open',
      acknowledged: { text: 'seen' },
    });
  });
});
