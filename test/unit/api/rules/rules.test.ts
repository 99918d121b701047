import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MOST_TRIES, pauseAfter } from '#core/api/rules/outbox.ts';
import { StoreError } from '#core/base/errors.ts';
import { aDevice } from '../../../suites/metadata/rows.ts';
import { S, T0, watchedWorld } from './watched-world.ts';

const WAIT = { timeout: 20_000, interval: 10 };
const HOOK = { do: 'webhook', url: 'https://hooks.example/x' } as const;
const ABOVE = { when: { key: 't', above: 30 } };
let world: Awaited<ReturnType<typeof watchedWorld>>;

beforeEach(async () => {
  world = await watchedWorld();
});
afterEach(async () => {
  await world.close();
});

const seconds = ({
  start,
  fired,
  end,
}: {
  readonly start: number;
  readonly fired: number;
  readonly end: number | null;
}) => [start, fired, end].map((at) => (at === null ? null : (at - T0) / S));
const firings = async () => (await world.alarms()).filter(({ withdrawn }) => withdrawn === null).map(seconds);

test('an alarm is raised with its acts, ends with them, and each act has a key of its own', async () => {
  await world.addRule('r', {
    ...ABOVE,
    acts: [{ do: 'note' }, { do: 'notify' }, HOOK, { do: 'mqtt' }, { do: 'mail', to: ['a@b.example'] }],
  });
  world.open();
  await world.store('d', { 0: 20, 1: 31 });
  await vi.waitFor(
    () => expect([world.hooks.length, world.messages.length, world.mails]).toEqual([1, 1, ['Alarm: r (d)']]),
    WAIT,
  );
  expect(await firings()).toEqual([[1, 1, null]]);
  const told = JSON.parse(world.hooks[0]!.body) as Record<string, unknown>;
  expect(told).toMatchObject({
    event: 'raised',
    key: world.hooks[0]?.key,
    rule: { id: 'r' },
    device: { id: 'd' },
    project: { id: 'p' },
    alarm: { state: 'open', end: null },
  });
  expect(told).not.toHaveProperty('values');
  expect((await world.notes()).map(({ start, end, text, author }) => [start, end, text, author])).toEqual([
    [T0 + S, null, 'r', 'rule'],
  ]);
  await world.store('d', { 5: 20 });
  await vi.waitFor(
    () =>
      expect(world.hooks.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
        'raised',
        'ended',
      ]),
    WAIT,
  );
  await vi.waitFor(
    async () => expect((await world.alarms())[0]?.acts.every(({ state }) => state === 'done')).toBe(true),
    WAIT,
  );
  expect(await firings()).toEqual([[1, 1, 5]]);
  expect((await world.notes())[0]?.end).toBe(T0 + 5 * S);
  const keys = (await world.alarms()).flatMap(({ acts }) => acts.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
});

test('a late record withdraws, and says so; what comes back is the same alarm', async () => {
  await world.addRule('r', { ...ABOVE, for_s: 10, acts: [HOOK, { do: 'note' }] });
  world.open();
  await world.store('d', { 0: 31, 12: 32 });
  await vi.waitFor(() => expect(world.hooks).toHaveLength(1), WAIT);
  const [first] = await world.alarms();
  await world.store('d', { 5: 20 });
  await vi.waitFor(() => expect(world.hooks).toHaveLength(2), WAIT);
  expect(JSON.parse(world.hooks[1]!.body)).toMatchObject({
    event: 'withdrawn',
    alarm: { id: first?.id, state: 'withdrawn' },
  });
  expect((await world.notes())[0]?.text).toBe('r (withdrawn)');
  await world.records.deleteRange('d', { start: T0 + 5 * S, end: T0 + 5 * S });
  world.events.publish('records.removed', { account_id: 'a', project_id: 'p', device_id: 'd' });
  await vi.waitFor(() => expect(world.hooks).toHaveLength(3), WAIT);
  const after = await world.alarms();
  expect(after.map(({ id, withdrawn }) => [id, withdrawn])).toEqual([[first?.id, null]]);
  expect((await world.notes()).map(({ text }) => text)).toEqual(['r']);
});

test('a clock that stands raises what is stored; one that is moved on raises what time alone does, at its time', async () => {
  await world.addRule('silence', { when: { silent_s: 60 }, acts: [HOOK] });
  await world.addRule('r', { ...ABOVE, for_s: 30 });
  world.open();
  await world.store('d', { 0: 31 });
  await vi.waitFor(() => expect(world.looks.count).toBeGreaterThan(1), WAIT);
  expect(await firings()).toEqual([]);
  await world.clock.advance(60_000);
  const found = (await world.alarms()).toSorted((a, b) => a.start - b.start);
  expect(found.map((alarm) => [...seconds(alarm), (alarm.raised - T0) / S])).toEqual([
    [0, 30, null, 30],
    [60, 60, null, 60],
  ]);
});

test('with no rule that is switched on nothing is judged, read or heard of', async () => {
  world.open();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const read = vi.spyOn(world.metadata, 'read');
  const stores = (['scan', 'within', 'readings', 'revision', 'count', 'latest', 'summary'] as const).map(
    (name) => vi.spyOn(world.records, name),
  );
  for (let i = 0; i < 100; i++) await world.store('d', { [i]: 31 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([read.mock.calls.length, ...stores.map(({ mock }) => mock.calls.length), world.looks.count]).toEqual(
    [0, ...stores.map(() => 0), 0],
  );
});

test('a rule is judged once a second at most, and none beside those of the device', async () => {
  await world.metadata.change((tables) => tables.insert('devices', aDevice('e', 'p', 1)));
  await world.addRule('r', ABOVE);
  await world.addRule('other', ABOVE, 'e');
  world.open();
  await vi.waitFor(() => expect(world.looks.count).toBe(2), WAIT);
  const began = performance.now();
  for (let i = 0; i < 50; i++) {
    await world.store('d', { [i]: i % 2 === 0 ? 31 : 20 });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await vi.waitFor(async () => expect(await firings()).toHaveLength(25), WAIT);
  const most = Math.ceil((performance.now() - began) / 1000) + 1;
  expect(world.looks.count - 2).toBeLessThanOrEqual(most);
});

test('what is not done is tried again with longer and longer pauses for a day, and then said', async () => {
  let all = 0;
  for (let tries = 1; tries < MOST_TRIES; tries++) all += pauseAfter(tries);
  expect([
    pauseAfter(1),
    pauseAfter(2),
    pauseAfter(12),
    pauseAfter(13),
    all > 86_000 && all < 90_000,
  ]).toEqual([1, 2, 2048, 3600, true]);
  world.broken.webhook = true;
  await world.addRule('r', { ...ABOVE, acts: [HOOK] });
  world.open();
  await world.store('d', { 0: 31 });
  const act = async () => (await world.alarms())[0]?.acts[0];
  await vi.waitFor(
    async () =>
      expect(await act()).toMatchObject({
        state: 'waiting',
        tries: 1,
        error: 'It answered 500.',
        next: T0 + S,
      }),
    WAIT,
  );
  await world.clock.advance(1000);
  await vi.waitFor(async () => expect(await act()).toMatchObject({ tries: 2, next: T0 + 3 * S }), WAIT);
  await world.clock.advance(2 * 86_400_000);
  expect(await act()).toMatchObject({
    state: 'failed',
    tries: MOST_TRIES,
    next: null,
    error: 'It answered 500.',
  });
});

test('a restart goes on: what waits is done with the same key, and nothing is raised twice', async () => {
  world.broken.webhook = true;
  await world.addRule('r', { ...ABOVE, acts: [HOOK, { do: 'note' }] });
  world.open();
  await world.store('d', { 0: 31 });
  await vi.waitFor(async () => expect((await world.alarms())[0]?.acts[0]?.tries).toBe(1), WAIT);
  const [before] = await world.alarms();
  await world.close();
  await world.store('d', { 9: 31 });
  world.broken.webhook = false;
  world.open();
  await world.clock.advance(1000);
  await vi.waitFor(() => expect(world.hooks.map(({ key }) => key)).toEqual([before?.acts[0]?.key]), WAIT);
  expect([(await world.alarms()).length, (await world.notes()).length]).toEqual([1, 1]);
});

test('what ended while nobody looked acts once, as raised with its end', async () => {
  await world.addRule('r', { ...ABOVE, acts: [HOOK] });
  await world.store('d', { 0: 31, 5: 20 });
  world.open();
  await vi.waitFor(() => expect(world.hooks).toHaveLength(1), WAIT);
  expect(JSON.parse(world.hooks[0]!.body)).toMatchObject({ event: 'raised', alarm: { state: 'ended' } });
});

test('a silenced rule raises its alarms and does nothing', async () => {
  await world.addRule('r', { ...ABOVE, acts: [HOOK, { do: 'note' }] });
  await world.metadata.change((tables) => tables.patch('functions', 'r', { silenced: T0 + 60 * S }));
  world.open();
  await world.store('d', { 0: 31 });
  await vi.waitFor(async () => expect(await firings()).toEqual([[0, 0, null]]), WAIT);
  expect((await world.alarms())[0]?.acts.map(({ state, error }) => [state, error])).toEqual([
    ['done', 'silenced'],
    ['done', 'silenced'],
  ]);
  expect([world.hooks, await world.notes()]).toEqual([[], []]);
});

test('a rule that is changed while records wait raises by what it is now, and what it raised before stays', async () => {
  await world.addRule('r', ABOVE);
  world.open();
  await world.store('d', { 0: 31 });
  await vi.waitFor(async () => expect(await firings()).toHaveLength(1), WAIT);
  const stored = world.store('d', { 1: 36 });
  await world.metadata.change(async (tables) => {
    await tables.patch('functions', 'r', { condition: { when: { key: 't', above: 35 } }, since: T0 });
    const [alarm] = await tables.list('alarms');
    await tables.patch('alarms', alarm!.id, { end: T0 });
  });
  world.events.publish('functions.changed', { account_id: 'a', project_id: 'p', device_id: 'd' });
  await stored;
  await vi.waitFor(
    async () =>
      expect(await firings()).toEqual([
        [0, 0, 0],
        [1, 1, null],
      ]),
    WAIT,
  );
});

test('a rule of a tag watches each device with it, and ends where one loses it', async () => {
  await world.metadata.change((tables) => tables.patch('devices', 'd', { tags: ['boiler'] }));
  await world.addRule('r', { ...ABOVE, devices: { tag: 'boiler' }, acts: [HOOK] }, null);
  world.open();
  await world.store('d', { 0: 31 });
  await vi.waitFor(() => expect(world.hooks).toHaveLength(1), WAIT);
  await world.metadata.change((tables) => tables.patch('devices', 'd', { tags: [] }));
  world.events.publish('devices.changed', { account_id: 'a', project_id: 'p', device_id: 'd' });
  await vi.waitFor(() => expect(world.hooks).toHaveLength(2), WAIT);
  expect((await world.alarms())[0]?.end).toBe(T0);
});

test('a rule that cannot be judged says so, once in the log, and the others go on', async () => {
  world.watchBy(({ rule }) => ({
    look: () =>
      'silent_s' in rule.when
        ? Promise.reject(new StoreError('damaged', 'Some stored records turned out to be damaged.'))
        : Promise.resolve({ firings: [{ start: T0, fired: T0, end: null }], next: null, cut: null }),
  }));
  await world.addRule('bad', { when: { silent_s: 60 } });
  await world.addRule('r', ABOVE);
  world.open();
  await vi.waitFor(async () => expect(await firings()).toHaveLength(1), WAIT);
  await vi.waitFor(() => expect(world.ruleProblems.of('bad')).toContain('damaged'), WAIT);
  expect([world.ruleProblems.of('r'), world.logged.length]).toEqual([null, 1]);
});
