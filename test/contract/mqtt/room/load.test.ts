import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectQuick } from '../../../fuzz/doors/turns.ts';
import { longestTurn } from '../../../helpers/service/longest-turn.ts';
import { mqttWorld, signedIn, type MqttWorld, type RawClient } from '../world.ts';

let world: MqttWorld;
beforeAll(async () => {
  world = await mqttWorld();
});
afterAll(() => world.stop());

const CLIENTS = 1000;

test('a thousand clients sign in at once, and all that they then publish at once is stored', async () => {
  const device = await world.makeDevice();
  const clients: RawClient[] = [];
  const signIn = async () => {
    const ids = Array.from({ length: CLIENTS }, (_, n) => `client ${n}`);
    clients.push(...(await Promise.all(ids.map((clientId) => signedIn(world, device, 5, { clientId })))));
  };
  await signIn();
  let sent = 0;
  await expectQuick(() =>
    longestTurn(
      Promise.all(
        clients.map(async (client) => {
          client.send({
            cmd: 'publish',
            topic: device.id,
            payload: JSON.stringify({ n: sent++ }),
            qos: 1,
            messageId: 1,
            dup: false,
            retain: false,
          });
          expect(await client.next()).toMatchObject({ cmd: 'puback', reasonCode: 0 });
        }),
      ),
    ),
  );
  const records = await world.recordsOf(device);
  expect(new Set(records.map(({ n }) => n)).size).toBe(Math.min(sent, 10_000));
  for (const client of clients) client.end();
});

test('who sends two thousand messages with QoS 0 and leaves at once is heard to the end', async () => {
  const device = await world.makeDevice();
  const client = await signedIn(world, device);
  const publishOf = (n: number) =>
    ({ cmd: 'publish', topic: device.id, payload: `{"n":${n}}`, qos: 0, dup: false, retain: false }) as const;
  client.send(...Array.from({ length: 2000 }, (_, n) => publishOf(n)), { cmd: 'disconnect' });
  client.stream.end();
  await expect.poll(async () => (await world.recordsOf(device)).length, { timeout: 30_000 }).toBe(2000);
});
