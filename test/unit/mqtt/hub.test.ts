import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Hub } from '#core/mqtt/sessions/hub.ts';
import { Room } from '#core/mqtt/sessions/room.ts';
import type { SessionLog } from '#core/mqtt/sessions/session-log.ts';

/** A disk that takes its time. */
const slowLog = new Proxy({}, { get: () => () => delay(5) }) as SessionLog;
const newHub = () =>
  new Hub({
    log: slowLog,
    room: new Room(1e6),
    nowMs: () => 0,
    ended: () => {},
    failed: () => {},
    dropped: () => {},
  });
const newLink = () => ({ wake: () => {}, end: () => {} });
const ASKED = { device: 'd', clientId: 'c', isClean: false, expiry: 100 };

test('a client that is back while its farewell ends the session gets a new one, for as long as it is told', async () => {
  const hub = newHub();
  const { session } = await hub.connect(ASKED, newLink());
  const leaving = hub.changeExpiry(session, 0);
  const back = await hub.connect(ASKED, newLink());
  await leaving;
  expect(back).toMatchObject({ isPresent: false, session: { expiry: 100 } });
});

test('a filter that is asked for a thousand times at once is due the retained message once', async () => {
  const hub = newHub();
  const { session } = await hub.connect(ASKED, newLink());
  const subscription = { filter: '#', qos: 0, noLocal: false, retainAsPublished: false, id: null } as const;
  const asked = Array.from({ length: 1000 }, () => ({ subscription, retainHandling: 0 }));
  expect(await hub.subscribe(session, asked)).toEqual([subscription]);
});
