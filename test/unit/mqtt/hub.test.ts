import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Hub } from '#core/mqtt/sessions/hub.ts';
import { messageOf } from '#core/mqtt/sessions/message.ts';
import { Room } from '#core/mqtt/sessions/room.ts';
import type { SessionLog } from '#core/mqtt/sessions/session-log.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { clockOf } from '../../helpers/clock.ts';

/** A disk that takes its time. */
const slowLog = new Proxy({}, { get: () => () => delay(5) }) as SessionLog;
const newHub = () =>
  new Hub({
    log: slowLog,
    room: new Room(1e6),
    clock: clockOf(() => 0),
    chance: systemRandom,
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

test('what is being handed on, as a large message is one by one, is among what is forgotten', async () => {
  const hub = newHub();
  const link = newLink();
  const sessions = [];
  for (let n = 0; n < 4; n++) {
    const { session } = await hub.connect({ ...ASKED, clientId: `c${n}` }, link);
    const subscription = { filter: 'd', qos: 1, noLocal: false, retainAsPublished: false, id: null } as const;
    await hub.subscribe(session, [{ subscription, retainHandling: 0 }]);
    await hub.disconnect(session, link);
    sessions.push(session);
  }
  const packet = { cmd: 'publish', topic: 'd', payload: Buffer.alloc(65_536), qos: 1, dup: false } as const;
  const published = hub.publish(messageOf({ ...packet, retain: true }, 0, [0]), null);
  await hub.forgetMessages('d', await hub.messagesOf('d'));
  await published;
  expect(sessions.map(({ waiting }) => waiting.length)).toEqual(sessions.map(() => 0));
});
