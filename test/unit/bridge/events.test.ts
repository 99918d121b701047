import { expect, test, vi } from 'vitest';
import type { Principal } from '#core/api/call.ts';
import { unauthorized } from '#core/base/errors.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { MOST_SUBSCRIPTIONS } from '#core/bridge/event-subscriptions.ts';
import { OWNER, open, settle } from './event-window.ts';

/* What a window hears: what it subscribed to, and what its principal may see. */

const X = { account_id: 'a', project_id: 'p', device_id: 'x' };
const Y = { ...X, device_id: 'y' };

test('a window that subscribed to a device hears nothing of another one', async () => {
  const { events, bridge, posted } = open();
  const heard: unknown[] = [];
  bridge.subscribe('records.stored', (event) => heard.push(event), { device_id: 'x' });
  for (const device of [X, Y, X]) events.publish('records.stored', { ...device, count: 1 });
  events.publish('devices.changed', X);
  await settle();
  expect(heard).toEqual([
    { ...X, count: 1 },
    { ...X, count: 1 },
  ]);
  expect(posted).toHaveLength(2);
});

test('a flood of 10,000 devices costs a window that looks elsewhere not one message, nor a look at who it is', async () => {
  const authenticate = vi.fn(() => OWNER);
  const { events, bridge, posted } = open(createEventBus(), authenticate);
  const heard = vi.fn();
  bridge.subscribe('records.stored', heard, { project_id: 'p', device_id: 'x' });
  bridge.subscribe('devices.changed', heard);
  for (let i = 0; i < 10_000; i++)
    events.publish('records.stored', { account_id: 'a', project_id: 'p', device_id: `${i}`, count: 10 });
  await settle();
  expect([posted.length, heard.mock.calls.length, authenticate.mock.calls.length]).toEqual([0, 0, 0]);
});

test('two subscriptions to the same event get it once over the wire', async () => {
  const { events, bridge, posted } = open();
  const [all, one] = [vi.fn(), vi.fn()];
  bridge.subscribe('records.removed', all, { project_id: 'p' });
  bridge.subscribe('records.removed', one, { device_id: 'x' });
  events.publish('records.removed', X);
  events.publish('records.removed', Y);
  await settle();
  expect(posted).toHaveLength(2);
  expect([all.mock.calls.length, one.mock.calls.length]).toEqual([2, 1]);
});

test('only the first listener subscribes and only the last one that goes unsubscribes', () => {
  const { bridge, sent } = open();
  const listener = () => {};
  const filter = { device_id: 'x' };
  const stops = [
    bridge.subscribe('records.stored', listener, filter),
    bridge.subscribe('records.stored', listener, filter),
    bridge.subscribe('records.stored', listener),
  ];
  const subscriptions = [
    { type: 'subscribe', topic: 'records.stored', filter },
    { type: 'subscribe', topic: 'records.stored', filter: {} },
  ];
  expect(sent).toEqual(subscriptions);
  stops[0]?.();
  stops[0]?.();
  expect(sent).toEqual(subscriptions);
  stops[1]?.();
  expect(sent.slice(2)).toEqual([{ type: 'unsubscribe', topic: 'records.stored', filter }]);
});

test('a window that comes back subscribes again to what is listened to, and to nothing else', () => {
  const { bridge, sent } = open();
  bridge.subscribe('records.stored', () => {}, { device_id: 'x' });
  bridge.subscribe('projects.changed', () => {});
  bridge.subscribe('devices.changed', () => {}, { project_id: 'p' })();
  sent.length = 0;
  bridge.resubscribe();
  expect(sent).toEqual([
    { type: 'subscribe', topic: 'records.stored', filter: { device_id: 'x' } },
    { type: 'subscribe', topic: 'projects.changed', filter: {} },
  ]);
});

test('events keep their order where it takes time to know who the window is', async () => {
  const events = createEventBus();
  const waits = [5, 1, 3];
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, waits.pop() ?? 0));
    return OWNER;
  };
  const { bridge } = open(events, slow);
  const counts: number[] = [];
  bridge.subscribe('records.stored', ({ count }) => counts.push(count));
  for (let count = 0; count < 20; count++) {
    events.publish('records.stored', { ...X, count });
    if (count % 7 === 0) await settle();
  }
  await expect.poll(() => counts.length).toBe(20);
  expect(counts).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('what was unsubscribed from while that took time does not come', async () => {
  const events = createEventBus();
  const { promise, resolve } = Promise.withResolvers<Principal>();
  const { bridge, posted } = open(events, () => promise);
  const stop = bridge.subscribe('records.removed', () => expect.unreachable());
  events.publish('records.removed', X);
  stop();
  resolve(OWNER);
  await settle();
  expect(posted).toEqual([]);
});

test('nothing arrives once the rights have ended, and nobody asks again', async () => {
  let isRevoked = false;
  const authenticate = vi.fn(() => {
    if (isRevoked) throw unauthorized('The API key is unknown or was revoked.');
    return OWNER;
  });
  const { events, bridge, posted, logged } = open(createEventBus(), authenticate);
  bridge.subscribe('records.removed', () => {});
  events.publish('records.removed', X);
  await settle();
  expect(posted).toHaveLength(1);
  isRevoked = true;
  for (let i = 0; i < 5; i++) {
    events.publish('records.removed', X);
    await settle();
  }
  expect([posted.length, authenticate.mock.calls.length, logged]).toEqual([1, 2, []]);
});

test('a window that could not be told is told to read again, and hears what comes after that', async () => {
  let isBroken = true;
  const { events, bridge, posted, logged, resync } = open(createEventBus(), () => {
    if (isBroken) throw new Error('no such disk');
    return OWNER;
  });
  const heard = vi.fn();
  bridge.subscribe('records.removed', heard);
  events.publish('records.removed', X);
  events.publish('records.removed', Y);
  await settle();
  expect([posted, resync.mock.calls.length, logged.length]).toEqual([[{ type: 'resync' }], 1, 1]);
  isBroken = false;
  events.publish('records.removed', Y);
  await settle();
  expect(heard.mock.calls).toEqual([[Y]]);
});

test('a window has so many subscriptions and no more; one that it ends makes room', async () => {
  const { events, session, posted, logged } = open();
  const tell = (type: 'subscribe' | 'unsubscribe', n: number) =>
    session.receive({ type, topic: 'records.stored', filter: { device_id: `${n}` } });
  for (let n = 0; n < MOST_SUBSCRIPTIONS; n++) tell('subscribe', n);
  tell('subscribe', 0);
  expect(logged).toEqual([]);
  tell('subscribe', MOST_SUBSCRIPTIONS);
  expect(logged).toEqual([expect.stringMatching(/^A window has 4096 subscriptions; one more/)]);
  tell('unsubscribe', 7);
  tell('subscribe', MOST_SUBSCRIPTIONS + 1);
  session.receive({ type: 'subscribe', topic: 'records.stored', filter: { device_id: 'x'.repeat(257) } });
  expect(logged).toHaveLength(2);
  for (const n of [0, 7, MOST_SUBSCRIPTIONS, MOST_SUBSCRIPTIONS + 1])
    events.publish('records.stored', { account_id: 'a', project_id: 'p', device_id: `${n}`, count: 1 });
  await settle();
  expect(posted.map((message) => message.type === 'event' && message.payload)).toMatchObject([
    { device_id: '0' },
    { device_id: `${MOST_SUBSCRIPTIONS + 1}` },
  ]);
});
