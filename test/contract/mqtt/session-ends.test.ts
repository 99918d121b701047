import { describe, expect, test } from 'vitest';
import { signedIn } from './world.ts';
import { LASTING, back, subscribed, gone, publish, take, payloadsOf } from './lasting-sessions.ts';
import { world, device, fresh, record, restart, serveOneDevice } from './one-device.ts';

/* What 5 says of the end of a session (3.1.2.11.2, 3.14.2.2.2), and what a client takes at once of what waited in it. */

serveOneDevice();

describe('what 5 says of the end of a session', () => {
  const expiring = (seconds: number) => ({ ...LASTING, properties: { sessionExpiryInterval: seconds } });

  test('[MQTT-3.1.2-23] it ends with its connection where the interval is 0 or absent', async () => {
    await fresh();
    await gone((await back(5, expiring(0))).client);
    const again = await back(5, { clientId: 'away', clean: false });
    expect(again.sessionPresent).toBe(false);
    await gone(again.client);
    expect((await back(5)).sessionPresent).toBe(false);
  });

  test('it ends when it was away for its interval', async () => {
    await fresh();
    await gone((await back(5, expiring(1))).client);
    const other = await signedIn(world, device, 5, { clientId: 'waiting' });
    await other.silence(1100);
    expect((await back(5)).sessionPresent).toBe(false);
    other.end();
  });

  test('it ends in the time in which the service was stopped, too', async () => {
    await fresh();
    await gone((await back(5, expiring(1))).client);
    await world.service.close();
    const other = new Promise((resolve) => setTimeout(resolve, 1100));
    await other;
    await restart();
    expect((await back(5)).sessionPresent).toBe(false);
  });

  test('DISCONNECT changes the interval (3.14.2.2.2)', async () => {
    await fresh();
    const { client } = await back(5);
    client.send({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 0 } });
    await client.ended();
    const again = await back(5, expiring(1));
    expect(again.sessionPresent).toBe(false);
    again.client.send({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 60 } });
    await again.client.ended();
    const other = await signedIn(world, device, 5, { clientId: 'waiting' });
    await other.silence(1100);
    expect((await back(5)).sessionPresent).toBe(true);
    other.end();
  });

  test('but does not make one last that was to end with its connection (3.14.2.2.2)', async () => {
    await fresh();
    const { client } = await back(5, expiring(0));
    client.send({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 60 } });
    expect(await client.ended()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x82 });
  });

  test('one that is to end with its connection ends where that is taken over (3.1.2.11.2)', async () => {
    await fresh();
    const client = await subscribed(5, 1, expiring(0));
    const { client: other, sessionPresent } = await back(5);
    expect(sessionPresent).toBe(false);
    expect(await client.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8e });
    other.end();
  });
});

describe('what a client takes at once', () => {
  test('[MQTT-3.3.4-9] no more than its Receive Maximum, of what comes again, too', async () => {
    await fresh();
    const client = await subscribed(5, 1);
    await publish([1, 2, 3, 4].map(record), 1);
    for (let i = 0; i < 4; i++) await client.nextOf('publish');
    await gone(client);
    const { client: again } = await back(5, {
      ...LASTING,
      properties: { ...LASTING.properties, receiveMaximum: 2 },
    });
    expect(await again.before()).toHaveLength(2);
    again.send({ cmd: 'puback', messageId: 1 });
    expect(await again.next()).toMatchObject({ cmd: 'publish', messageId: 3, dup: true });
    again.send({ cmd: 'puback', messageId: 2 });
    expect(await again.next()).toMatchObject({ cmd: 'publish', messageId: 4, dup: true });
    expect(await again.before()).toEqual([]);
    again.end();
  });

  test('[MQTT-3.1.2-25] no packet that is larger than it takes; the others come', async () => {
    await fresh();
    const client = await subscribed(5, 1, { clientId: 'small', properties: { maximumPacketSize: 200 } });
    await publish([JSON.stringify({ text: 'x'.repeat(300) }), record(2)], 1);
    expect(payloadsOf(await take(client, 1))).toEqual([record(2)]);
    client.end();
  });
});
