import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DoorAnswer, SeenRequest } from '#shared/operations/service/requests.ts';
import { runService } from '../helpers/service/running-service.ts';
import { mqttWorld, type Device, type MqttWorld } from './mqtt/world.ts';
import { dataOf } from './world.ts';

/* Messages that are sent for a device, by its own door (docs/local-api.md, "Requests seen"). */

let mqtt: MqttWorld;

// Each service remembers the requests that it was sent itself.
beforeAll(async () => void (mqtt = await mqttWorld({}, { isAlone: true })));
afterAll(() => mqtt.stop());

const sendFor = (of: Device, body: object = {}) =>
  mqtt.request('POST', `/_local/v1/projects/${of.project}/devices/${of.id}/message`, { body });

async function lastSeen({ id }: Device): Promise<SeenRequest | undefined> {
  const seen = await dataOf(mqtt, 'GET', `/_local/v1/requests?device_id=${id}`);
  return (seen as unknown as SeenRequest[])[0];
}

test.each(['http', 'mqtt'] as const)(
  'goes in by the door of the device, a reading where nothing is said (%s)',
  async (source) => {
    const own = await mqtt.makeDevice(source);
    const { data } = (await sendFor(own)).envelope;
    expect(data).toMatchObject({ accepted: true, message: 'Data stored successfully.' });
    expect(data).toMatchObject(
      source === 'http'
        ? { http: { status: 200, reason: 'OK', body: expect.stringContaining('"stored":1') }, mqtt: null }
        : { http: null, mqtt: { packet: 'PUBACK', reason_code: 0, reason_string: null } },
    );
    expect(await mqtt.recordsOf(own)).toMatchObject([{ temperature: 21.5 }]);
    expect(await lastSeen(own)).toMatchObject({
      door: source,
      stored: 1,
      refused: false,
    });
  },
);

test.each(['http', 'mqtt'] as const)('is refused as the device would be, in words (%s)', async (source) => {
  const own = await mqtt.makeDevice(source);
  for (const payload of ['{"temperature": }', '', '{"a,b": 1}']) {
    const { status, envelope } = await sendFor(own, { payload });
    expect(status).toBe(200);
    const data = envelope.data as unknown as DoorAnswer;
    expect(data.accepted).toBe(false);
    if (source === 'http') {
      expect(data.http?.status).toBe(400);
      expect(JSON.parse(data.http?.body ?? '')).toMatchObject({ success: false, message: data.message });
      const type = data.http?.headers.find(({ name }) => name.toLowerCase() === 'content-type');
      expect(type?.value).toContain('application/json');
    } else
      expect(data.mqtt).toEqual({
        packet: 'PUBACK',
        reason_code: 0x99,
        reason_string: data.message,
      });
    expect(await lastSeen(own)).toMatchObject({ refused: true, message: data.message });
  }
  expect(await mqtt.recordsOf(own)).toEqual([]);
});

test.each(['http', 'mqtt'] as const)('may be NDJSON (%s)', async (source) => {
  const own = await mqtt.makeDevice(source);
  const lines = { payload: '{"n":1}\n{"n":2}\n', content_type: 'application/x-ndjson' };
  expect((await sendFor(own, lines)).envelope.data).toMatchObject({ accepted: true });
  expect(await mqtt.recordsOf(own)).toHaveLength(2);
  expect((await sendFor(own, { ...lines, content_type: 'text/csv' })).envelope.message).toContain(
    'content_type must be "application/json" or "application/x-ndjson"',
  );
});

test('says why none could be sent: a door that is shut', async () => {
  const shut = await runService({ mqttPort: null });
  const { id: project } = await dataOf(shut, 'POST', '/_local/v1/projects', { name: 'P' });
  const body = { name: 'D', source: 'mqtt' };
  const { id } = await dataOf(shut, 'POST', `/v2/projects/${project}/devices`, body);
  const path = `/_local/v1/projects/${project}/devices/${id}/message`;
  expect(await dataOf(shut, 'POST', path, {})).toMatchObject({
    accepted: false,
    message: expect.stringContaining('takes no MQTT now'),
    http: null,
    mqtt: null,
  });
  await shut.stop();
});
