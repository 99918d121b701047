import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  connectOf,
  mqttWorld,
  publishOf,
  rawClient,
  signedIn,
  type Device,
  type MqttWorld,
  type RawClient,
} from '../world.ts';

/* Connections are limited in all (docs/mqtt.md, "Limits"): who takes all of them keeps nobody else out. */

const MOST = 12;
vi.mock('#core/mqtt/limits.ts', async (original) => ({
  ...(await original<object>()),
  MOST_CONNECTIONS: 12,
}));

let world: MqttWorld;
let open: RawClient[] = [];
beforeAll(async () => void (world = await mqttWorld({}, { isAlone: true })));
afterAll(async () => {
  for (const client of open) client.end();
  await world.stop();
});

const connected = async (device: Device, clientId: string): Promise<RawClient> => {
  const client = await signedIn(world, device, 5, { clientId });
  open.push(client);
  return client;
};

async function store(client: RawClient, device: Device): Promise<void> {
  client.send(publishOf(device, '{"n":1}', { qos: 1, messageId: 1 }));
  expect(await client.next()).toMatchObject({ cmd: 'puback', reasonCode: 0 });
}

test('a device that has all connections there are keeps no other out, and loses its last ones', async () => {
  const [greedy, other] = [await world.makeDevice(), await world.makeDevice()];
  const many: RawClient[] = [];
  for (let n = 0; n < MOST; n++) many.push(await connected(greedy, `client ${n}`));
  await store(await connected(other, 'one'), other);
  expect(await many.at(-1)?.ended()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x97 });
  // One more of its own is none.
  const more = await rawClient(world.port);
  more.send(connectOf(greedy, 5, { clientId: 'one more' }));
  expect(await more.ended()).toBeNull();
  await store(await connected(other, 'two'), other);
  for (const client of many.slice(0, MOST - 2)) await store(client, greedy);
  for (const client of open) client.end();
  open = [];
});

test('many devices of one project are as one', async () => {
  const other = await world.makeDevice();
  const { project } = await world.makeDevice();
  for (let n = 0; n < MOST; n++) {
    const { envelope } = await world.request('POST', `/v2/projects/${project}/devices`, {
      body: { name: 'One of many', source: 'mqtt' },
    });
    const { metadata } = envelope.data as unknown as {
      metadata: { device_id: string; device_token: string };
    };
    await connected({ id: metadata.device_id, token: metadata.device_token, project }, 'one');
  }
  for (const clientId of ['one', 'two', 'three']) await store(await connected(other, clientId), other);
});
