import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServiceProcess } from '../../../helpers/service/service-process.ts';
import { connectOf, portOf, publishOf, rawClient, subscribeOf, type Device } from '../world.ts';

/* What sessions promise, where the service is killed instead of stopped. */

let directory: string;
beforeAll(async () => void (directory = join(await mkdtemp(join(tmpdir(), 'fieldbench-')), 'data')));
afterAll(() => rm(join(directory, '..'), { recursive: true, force: true }));

const LASTING = { clean: false, properties: { sessionExpiryInterval: 60 } };

test('[MQTT-4.1.0-1] what was acknowledged is there, and a new message is taken for no old one', async () => {
  const first = await startServiceProcess({ directory });
  const { data: project } = await first.call<{ id: string }>('POST', '/_local/v1/projects', { name: 'Rig' });
  const created = await first.call<{ metadata: { device_id: string; device_token: string } }>(
    'POST',
    `/v2/projects/${project!.id}/devices`,
    { name: 'Pump', source: 'mqtt' },
  );
  const { device_id: id, device_token: token } = created.data!.metadata;
  const device: Device = { id, token, project: project!.id };

  const connect = async (port: number, clientId: string) => {
    const client = await rawClient(port);
    client.send(connectOf(device, 5, { ...LASTING, clientId }));
    const { sessionPresent } = await client.nextOf('connack');
    return { client, sessionPresent };
  };
  const { client: away } = await connect(portOf(first.info.mqtt_url), 'away');
  away.send(subscribeOf('#', 2));
  await away.nextOf('suback');
  away.end();
  const { client } = await connect(portOf(first.info.mqtt_url), 'sender');
  for (const n of [1, 2, 3]) {
    client.send(publishOf(device, JSON.stringify({ n }), { qos: 2, messageId: n }));
    await client.nextOf('pubrec');
    client.send({ cmd: 'pubrel', messageId: n });
    await client.nextOf('pubcomp');
  }
  client.send(publishOf(device, '{"n":4}', { qos: 1, messageId: 9, retain: true }));
  await client.nextOf('puback');
  await first.kill();

  const second = await startServiceProcess({ directory });
  const again = await connect(portOf(second.info.mqtt_url), 'sender');
  expect(again.sessionPresent).toBe(true);
  for (const n of [5, 6]) {
    again.client.send(publishOf(device, JSON.stringify({ n }), { qos: 2, messageId: n }));
    expect(await again.client.next()).toMatchObject({ cmd: 'pubrec', messageId: n });
  }
  const path = `/v2/projects/${device.project}/devices/${id}/data?page=1&limit=100&range=all`;
  const { data } = await second.call<{ n: number }[]>('GET', path);
  expect(data?.map(({ n }) => n).toReversed()).toEqual([1, 2, 3, 4, 5, 6]);
  const { client: back, sessionPresent } = await connect(portOf(second.info.mqtt_url), 'away');
  expect(sessionPresent).toBe(true);
  const waited: unknown[] = [];
  for (let i = 0; i < 6; i++) {
    const { payload, messageId } = await back.nextOf('publish');
    waited.push((JSON.parse(String(payload)) as { n: number }).n);
    back.send({ cmd: i === 3 ? 'puback' : 'pubrec', messageId });
  }
  expect(waited).toEqual([1, 2, 3, 4, 5, 6]);
  const { client: late } = await connect(portOf(second.info.mqtt_url), 'late');
  late.send(subscribeOf('#', 0));
  expect(await late.nextOf('publish')).toMatchObject({ retain: true, payload: Buffer.from('{"n":4}') });
  expect(await second.stop()).toBe(0);
});

test('what was purged is not delivered, where the service is killed directly behind the answer', async () => {
  const own = join(directory, '..', 'purged');
  let running = await startServiceProcess({ directory: own });
  const { data: project } = await running.call<{ id: string }>('POST', '/_local/v1/projects', {
    name: 'Rig',
  });
  const created = await running.call<{ metadata: { device_id: string; device_token: string } }>(
    'POST',
    `/v2/projects/${project!.id}/devices`,
    { name: 'Pump', source: 'mqtt' },
  );
  const { device_id: id, device_token: token } = created.data!.metadata;
  const device: Device = { id, token, project: project!.id };
  const connect = async (clientId: string) => {
    const client = await rawClient(portOf(running.info.mqtt_url));
    client.send(connectOf(device, 5, { clientId }));
    await client.nextOf('connack');
    return client;
  };
  for (let n = 0; n < 3; n++) {
    const sender = await connect('sender');
    sender.send(publishOf(device, `{"secret":${n}}`, { qos: 1, messageId: 9, retain: true }));
    await sender.nextOf('puback');
    const purged = await running.call('DELETE', `/v2/projects/${device.project}/devices/${id}/data`);
    await running.kill();
    expect(purged.success).toBe(true);
    running = await startServiceProcess({ directory: own });
    const late = await connect('late');
    late.send(subscribeOf('#', 0));
    await late.nextOf('suback');
    expect(await late.before()).toEqual([]);
    late.end();
  }
  expect(await running.stop()).toBe(0);
});
