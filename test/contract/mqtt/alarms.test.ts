import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { PRESENT } from '../../helpers/clock.ts';
import { anAlarm } from '../../suites/metadata/rows.ts';
import { device, fresh, restart, serveOneDevice, world } from './one-device.ts';
import { granted, heard } from './subscribers.ts';
import { publishOf, signedIn } from './world.ts';

/* devices/<id>/alarms: what the service says of alarms to whoever the device lets hear (docs/mqtt.md, "Alarms"). */

serveOneDevice();

const topicOf = ({ id }: { readonly id: string }) => `devices/${id}/alarms`;
const WAIT = { timeout: 20_000, interval: 20 };

/** Stores readings ahead of now; the last one is above the limit, or not. */
async function store(t: number, ahead: number): Promise<void> {
  const client = await signedIn(world, device, 5, { clientId: 'sensor' });
  const timestamp = new Date(PRESENT / 1000 + 3_600_000 + ahead * 1000).toISOString();
  client.send(publishOf(device, JSON.stringify({ timestamp, t }), { qos: 1, messageId: 500 }));
  await client.nextOf('puback');
  client.end();
}

async function addRule(): Promise<void> {
  const condition = { when: { key: 't', above: 30 }, acts: [{ do: 'mqtt' }] };
  const body = { device_id: device.id, name: 'Hot', type: 'rule', condition };
  const { status } = await world.request('POST', `/_local/v1/projects/${device.project}/functions`, { body });
  expect(status).toBe(200);
}

test('a device may hear of its own alarms, of no other, and says none itself', async () => {
  const other = await world.makeDevice();
  const client = await signedIn(world, await fresh(), 5);
  const filters = [
    topicOf(device),
    'devices/+/alarms',
    'devices/#',
    '#',
    topicOf(other),
    'devices/x',
    `${topicOf(device)}/x`,
  ];
  expect(await granted(client, ...filters)).toEqual([1, 1, 1, 1, 0x87, 0x87, 0x87]);
  client.send({ ...publishOf(device, '{"n":1}', { qos: 1, messageId: 7 }), topic: topicOf(device) });
  expect((await client.nextOf('puback')).reasonCode).toBe(0x87);
  client.end();
});

test('an alarm comes to who subscribed, and to nobody of the topic of records', async () => {
  const client = await signedIn(world, await fresh(), 5);
  const records = await signedIn(world, device, 5, { clientId: 'records' });
  await granted(client, topicOf(device));
  await granted(records, device.id);
  await addRule();
  await store(31, 0);
  const packet = await client.nextOf('publish');
  expect([packet.topic, packet.qos]).toEqual([topicOf(device), 1]);
  expect(JSON.parse(String(packet.payload))).toMatchObject({
    event: 'raised',
    device: { id: device.id },
    rule: { name: 'Hot' },
  });
  expect((await heard(records)).map((said) => Object.keys(JSON.parse(said) as object))).toEqual([
    ['timestamp', 't'],
  ]);
  client.end();
  records.end();
});

test('who is away hears of it later, over a restart, by the same topic', async () => {
  await fresh();
  const session = { clientId: 'away', clean: false, properties: { sessionExpiryInterval: 3600 } };
  const away = await signedIn(world, device, 5, session);
  await granted(away, topicOf(device));
  away.end();
  await addRule();
  await store(31, 0);
  await vi.waitFor(async () => {
    const { envelope } = await world.request('GET', `/_local/v1/projects/${device.project}/alarms`);
    expect(JSON.stringify(envelope.data)).toContain('"state":"done"');
  }, WAIT);
  await restart();
  const back = await signedIn(world, device, 5, session);
  const packet = await back.nextOf('publish');
  expect([packet.topic, packet.qos]).toEqual([topicOf(device), 1]);
  back.end();
});

test('what is still to be said as the service starts is there for who is away', async () => {
  await fresh();
  const session = { clientId: 'asleep', clean: false, properties: { sessionExpiryInterval: 3600 } };
  const asleep = await signedIn(world, device, 5, session);
  await granted(asleep, topicOf(device));
  asleep.end();
  const of = { project_id: device.project, device_id: device.id, function_id: randomUUID() };
  const key = `${randomUUID()}/0/raised`;
  const act = { do: 'mqtt' } as const;
  await world.metadata.change((tables) =>
    tables.insert('alarms', {
      ...anAlarm(randomUUID(), of),
      end: PRESENT,
      acts: [{ key, event: 'raised', act, state: 'waiting', tries: 0, next: 0, error: null }],
    }),
  );
  await restart();
  const back = await signedIn(world, device, 5, session);
  expect(JSON.parse(String((await back.nextOf('publish')).payload))).toMatchObject({ key });
  back.end();
});
