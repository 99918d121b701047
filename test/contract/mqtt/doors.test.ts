import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService } from '../../helpers/service/running-service.ts';
import { mqttWorld, signedIn } from './world.ts';

/* Which ports MQTT is spoken on, and what is said where one cannot be had. */

let taken: Server;
let number: number;
beforeAll(async () => {
  taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  number = (taken.address() as AddressInfo).port;
});
afterAll(() => void taken.close());

/** The doors that a status speaks of, and who came by them, are those of one service. */
const ALONE = { isAlone: true };

async function statusOf(running: Awaited<ReturnType<typeof runService>>): Promise<Record<string, unknown>> {
  return (await running.request('GET', '/_local/v1/status')).envelope.data as unknown as Record<
    string,
    unknown
  >;
}

test('the default port that another program has is left shut, and it is said which', async () => {
  const running = await runService({ mqttPort: { number, isAsked: false } }, ALONE);
  expect(running.service.mqtt_url).toBeNull();
  expect(running.service.mqtt_shut).toContain(String(number));
  expect(await statusOf(running)).toMatchObject({
    mqtt_url: null,
    mqtt_shut: running.service.mqtt_shut,
    mqtt_connections: 0,
    mqtt_refused: 0,
  });
  await running.stop();
});

test.each([
  ['--mqtt-port', { mqttPort: { number: -1, isAsked: true } }],
  ['--mqtts-port', { mqttsPort: -1, tls: true }],
])('a port that was asked for is not: the start fails and names %s', async (flag, ports) => {
  const asked = JSON.parse(JSON.stringify(ports).replace('-1', String(number))) as typeof ports;
  const start = runService(asked);
  await expect(start).rejects.toMatchObject({ code: 'port-busy', message: expect.stringContaining(flag) });
  await expect(start).rejects.toMatchObject({ message: expect.stringContaining(String(number)) });
});

test('a door that is switched off says so, and the WebSocket stays', async () => {
  const running = await runService({ mqttPort: null });
  expect(running.service).toMatchObject({ mqtt_url: null, mqtt_shut: expect.stringContaining('off') });
  expect(running.service.mqtt_websocket_urls).toHaveLength(1);
  await running.stop();
});

test('the status counts who is signed in, and nobody else', async () => {
  const world = await mqttWorld({}, ALONE);
  const device = await world.makeDevice();
  const count = async () => (await statusOf(world))['mqtt_connections'];
  expect(await count()).toBe(0);
  const one = await signedIn(world, device, 4, { clientId: 'one' });
  const two = await signedIn(world, device, 5, { clientId: 'two' });
  expect(await count()).toBe(2);
  one.end();
  await expect.poll(count).toBe(1);
  two.end();
  await expect.poll(count).toBe(0);
  await world.stop();
});
