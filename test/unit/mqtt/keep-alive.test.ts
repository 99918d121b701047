import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectOf, RawClient } from '../../contract/mqtt/world.ts';
import { DEVICE, openDoor, type OpenDoor } from './open-door.ts';

/* MQTT-3.1.2-22 in a process that had no turn for longer than the keep-alive allows: its timers come before its sockets. */

let door: OpenDoor;
let server: Server;
beforeEach(async () => {
  door = await openDoor();
  server = createServer((socket) => void door.mqtt.accept(socket, '127.0.0.1', 'mqtt'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  await door.mqtt.close(0);
  server.close();
});

const holdUp = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('who pinged meanwhile is not cut off, and who was silent is', async () => {
  const { port } = server.address() as AddressInfo;
  const signedIn = async (clientId: string) => {
    const client = new RawClient(connect({ port, host: '127.0.0.1' }), 5);
    client.send(connectOf(DEVICE, 5, { clientId, keepalive: 1 }));
    expect(await client.next()).toMatchObject({ cmd: 'connack', reasonCode: 0 });
    return client;
  };
  const [lively, silent] = [await signedIn('lively'), await signedIn('silent')];
  lively.send({ cmd: 'pingreq' });
  holdUp(1600);
  expect(await lively.next()).toMatchObject({ cmd: 'pingresp' });
  expect(await silent.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8d });
  for (const each of [lively, silent]) each.end();
});
