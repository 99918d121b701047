import { afterEach, beforeEach, expect, test } from 'vitest';
import { MOST_KEPT_OF_DEVICE } from '#core/mqtt/limits.ts';
import { connectOf, RawClient, subscribeOf } from '../../contract/mqtt/world.ts';
import { DEVICE, openDoor, type OpenDoor } from './open-door.ts';

/* Wills, and the time and the room that they take. */

let door: OpenDoor;
let nowMs: number;
let watcher: RawClient;
beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  door = await openDoor({ nowMs: () => nowMs });
  watcher = await door.signedIn('watcher');
  watcher.send(subscribeOf('#', 1));
  await watcher.nextOf('suback');
});
afterEach(() => door.mqtt.close(0));

const willOf = (more: Record<string, unknown> = {}, payload: string | Buffer = '{"n":"gone"}') => ({
  will: { topic: DEVICE.id, payload: Buffer.from(payload), qos: 1, retain: true, ...more },
});

test.each([3, 60])(
  'MQTT 5, 3.1.3.2.4: %i s until it expires count from when it is published',
  async (seconds) => {
    const properties = { messageExpiryInterval: seconds };
    const mortal = await door.signedIn('mortal', 5, willOf({ properties }));
    nowMs += 3_600_000;
    mortal.end();
    const { properties: got } = await watcher.nextOf('publish');
    expect(got?.messageExpiryInterval).toBe(seconds);
    const late = await door.signedIn('late');
    late.send(subscribeOf('#', 0));
    expect(await late.nextOf('publish')).toMatchObject({ retain: true });
  },
);

test('what became of a will stands among the requests, as a PUBLISH', async () => {
  (await door.signedIn('mortal', 4, willOf())).end();
  await watcher.nextOf('publish');
  await expect
    .poll(() => door.seen.filter(({ method }) => method === 'PUBLISH'))
    .toMatchObject([{ method: 'PUBLISH', path: DEVICE.id, status: 0, isRefused: false, stored: 1 }]);
});

test('a will that is no record is told of when its client signs in: 5 refuses it, 3.1.1 lets the device in', async () => {
  const refused = new RawClient(door.connected(), 5);
  refused.send(connectOf(DEVICE, 5, { clientId: 'mortal', ...willOf({}, 'offline') }));
  expect(await refused.next()).toMatchObject({
    cmd: 'connack',
    reasonCode: 0x99,
    properties: { reasonString: expect.stringMatching(/^The will is no record: .*JSON/) },
  });
  expect(door.mqtt.refused).toBe(0);
  const old = await door.signedIn('mortal', 4, willOf({}, 'offline'));
  expect(door.seen.at(-1)).toMatchObject({
    method: 'PUBLISH',
    isRefused: true,
    status: 0x99,
    message: expect.stringMatching(/^The will of a client is no record: /),
  });
  expect(door.mqtt.refused).toBe(1);
  old.end();
  await expect.poll(() => door.mqtt.connections).toBe(1);
  expect(await watcher.before()).toEqual([]);
  expect(await door.records.count(DEVICE.id)).toBe(0);
  expect(door.mqtt.refused).toBe(1);
});

test('wills take room from CONNECT on and give it back, whichever way they end', async () => {
  const large = willOf(
    { properties: { userProperties: { a: 'x'.repeat(60_000) } } },
    JSON.stringify({ n: 'x'.repeat(60_000) }),
  );
  const most = Math.floor(MOST_KEPT_OF_DEVICE / 121_000);
  const signIn = async (n: number, more: Record<string, unknown> = {}) => {
    const client = new RawClient(door.connected(), 5);
    client.send(connectOf(DEVICE, 5, { clientId: `mortal ${n}`, ...large, ...more }));
    return { client, answer: await client.nextOf('connack') };
  };
  const clients: RawClient[] = [];
  for (let n = 0; n < most + 5; n++) {
    const { client, answer } = await signIn(n);
    if (answer.reasonCode === 0) clients.push(client);
    else expect(answer).toMatchObject({ reasonCode: 0x97 });
  }
  expect(Math.abs(clients.length - most)).toBeLessThan(5);
  for (const client of clients) client.send({ cmd: 'disconnect', reasonCode: 0 });
  await expect.poll(() => door.mqtt.connections).toBe(1);
  expect((await signIn(0)).answer).toMatchObject({ reasonCode: 0 });
});
