import { afterEach, beforeEach, expect, test } from 'vitest';
import { TOPICS } from '#shared/domain/events.ts';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { openWindow } from '../../helpers/service/running-service.ts';
import { mqttWorld, publishOf, signedIn, subscribeOf, type Device, type MqttWorld } from '../mqtt/world.ts';

/* docs/rigs.md, "Snapshots": what clients of MQTT and windows that are open hear of a restore. */

let world: MqttWorld;
beforeEach(async () => {
  world = await mqttWorld({}, { isAlone: true });
});
afterEach(() => world.stop());

const SNAPSHOTS = '/_local/v1/snapshots';
const save = async (name: string) =>
  expect((await world.request('POST', SNAPSHOTS, { body: { name } })).status).toBe(200);
const restore = async (name: string) =>
  expect((await world.request('POST', `${SNAPSHOTS}/${name}/restore`)).status).toBe(200);
const record = (n: number) => JSON.stringify({ n });

test.skipIf(inDatabase)(
  'a client stays while its device does, and goes on; others are sent away',
  async () => {
    const [stays, renewed] = [await world.makeDevice(), await world.makeDevice()];
    await save('before');
    const added = await world.makeDevice();
    const path = `/_local/v1/projects/${renewed.project}/devices/${renewed.id}/token`;
    const { envelope } = await world.request('POST', path);
    const token = (envelope.data as unknown as { readonly device_token: string }).device_token;
    const clients = [
      await signedIn(world, stays, 5, { clientId: 'stays' }),
      await signedIn(world, added, 5, { clientId: 'added' }),
      await signedIn(world, { ...renewed, token }, 5, { clientId: 'renewed' }),
    ] as const;
    const [staying, ...leaving] = clients;
    staying.send(publishOf(stays, record(1), { qos: 1, messageId: 1 }));
    await staying.nextOf('puback');

    await restore('before');
    for (const client of leaving) expect(await client.ended()).toMatchObject({ cmd: 'disconnect' });
    expect(await world.valuesOf(stays)).toEqual([]);
    staying.send(publishOf(stays, record(2), { qos: 1, messageId: 2 }));
    await staying.nextOf('puback');
    expect(await world.valuesOf(stays)).toEqual([2]);
    expect((await signedIn(world, renewed, 5, { clientId: 'again' })).connack).not.toBeNull();
  },
);

test.skipIf(inDatabase)('messages whose records are gone are not delivered any more', async () => {
  const device: Device = await world.makeDevice();
  await save('before');
  const client = await signedIn(world, device, 5, { clientId: 'sends' });
  client.send(publishOf(device, record(1), { qos: 1, messageId: 1, retain: true }));
  await client.nextOf('puback');
  await restore('before');
  const fresh = await signedIn(world, device, 5, { clientId: 'fresh' });
  await expect
    .poll(async () => {
      fresh.send(subscribeOf('#', 0));
      await fresh.nextOf('suback');
      return fresh.before();
    })
    .toEqual([]);
  world = await world.restarted();
  const later = await signedIn(world, device, 5, { clientId: 'later' });
  later.send(subscribeOf('#', 0));
  await later.nextOf('suback');
  expect(await later.before()).toEqual([]);
});

test.skipIf(inDatabase)('a window hears what came and went', async () => {
  await save('before');
  const added = await world.makeDevice();
  const window = openWindow(world.service);
  const heard: { readonly topic: string; readonly payload: unknown }[] = [];
  for (const topic of TOPICS)
    window.bridge.subscribe(topic, (payload) => void heard.push({ topic, payload }));
  await restore('before');
  const { account_id } = world.service;
  await expect
    .poll(() => heard)
    .toContainEqual({ topic: 'projects.changed', payload: { account_id, project_id: added.project } });
  window.close();
});
