import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { promisify } from 'node:util';
import { connect } from 'mqtt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import { RawClient, connectOf } from '../../contract/mqtt/world.ts';
import { pythonWithPaho } from '../../helpers/paho.ts';
import { DEVICE, openDoor, type OpenDoor } from './open-door.ts';

/* A database that is away: who signs in meanwhile has to come back by itself. */

let door: OpenDoor;
let server: Server;
let isAway: boolean;
let tries: number;
beforeEach(async () => {
  isAway = true;
  tries = 0;
  const missing = () => (isAway ? new StoreError('unreachable', 'The database does not answer.') : null);
  door = await openDoor({ missing });
  server = createServer((socket) => {
    tries++;
    door.mqtt.accept(socket, '127.0.0.1', 'mqtt');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await door.mqtt.close(0);
  server.close();
});
const port = () => (server.address() as AddressInfo).port;

test.each([4, 5] as const)(
  '%i: no CONNACK refuses it, and the list of requests says why',
  async (version) => {
    const client = new RawClient(door.connected(), version);
    client.send(connectOf(DEVICE, version));
    expect(await client.next()).toBeNull();
    await expect
      .poll(() => door.seen)
      .toMatchObject([{ method: 'CONNECT', status: 0x80, message: 'The database does not answer.' }]);
  },
);

test.each([4, 5] as const)(
  '%i: mqtt.js, as it is, comes back and stores what it held',
  async (protocolVersion) => {
    const client = connect({
      port: port(),
      host: '127.0.0.1',
      protocolVersion,
      reconnectPeriod: 20,
      username: DEVICE.id,
      password: DEVICE.token,
    });
    client.on('error', () => {});
    const stored = client.publishAsync(DEVICE.id, '{"n":1}', { qos: 1 });
    await expect.poll(() => tries).toBeGreaterThan(2);
    isAway = false;
    await stored;
    expect(await door.records.count(DEVICE.id)).toBe(1);
    await client.endAsync(true);
  },
);

const PAHO = `
import sys, paho.mqtt.client as mqtt
client = mqtt.Client("paho", protocol=int(sys.argv[2]))
client.username_pw_set("device", "token")
client.reconnect_delay_set(0.02, 0.02)
def stored(*about):
    client.disconnect()
client.on_publish = stored
client.on_connect = lambda client, userdata, flags, rc, *more: rc == 0 and client.publish("device", '{"n":1}', 1)
client.connect("127.0.0.1", int(sys.argv[1]))
client.loop_forever()
`;

test.skipIf(pythonWithPaho === null).each([4, 5] as const)(
  '%i: paho for Python, as it is, comes back and stores',
  async (version) => {
    const child = promisify(execFile)(pythonWithPaho ?? '', ['-c', PAHO, `${port()}`, `${version}`]);
    await expect.poll(() => tries, { timeout: 20_000 }).toBeGreaterThan(2);
    isAway = false;
    await child;
    expect(await door.records.count(DEVICE.id)).toBe(1);
  },
);
