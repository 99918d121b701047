import { mkdir } from 'node:fs/promises';
import { runService } from '../../helpers/running-service.ts';
import type { MqttPlace } from './mqtt-place.ts';

/** How long a record may take to arrive before it is called missing. */
const ARRIVES_MS = 20_000;

/** The service with both of its MQTT doors open, in a folder that it makes. */
export async function startPlace(directory: string): Promise<MqttPlace> {
  await mkdir(directory, { recursive: true });
  const running = await runService({
    directory,
    tls: true,
    mqttPort: { number: 0, isAsked: true },
    mqttsPort: 0,
  });
  const data = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await running.request(method, path, { body })).envelope.data as T;
  const project = await data<{ id: string }>('POST', '/_local/v1/projects', { name: 'Lab' });
  const device = `/v2/projects/${project.id}/devices`;
  const { id, metadata: login } = await data<{
    id: string;
    metadata: { device_id: string; device_token: string };
  }>('POST', device, { name: 'Meter', source: 'mqtt' });
  const { ca_file, ca_certificate } = await data<{ ca_file: string; ca_certificate: string }>(
    'GET',
    '/_local/v1/status',
  );
  const { mqtt_url, mqtts_url } = running.service;
  let seen = 0;
  return {
    addresses: { mqtt_url, mqtts_url, network_hosts: [], ca_file, ca_certificate },
    login,
    async arrived() {
      for (const until = Date.now() + ARRIVES_MS; Date.now() < until;) {
        const records = await data<unknown[]>('GET', `${device}/${id}/data?page=1&limit=100&range=all`);
        const next = records.toReversed()[seen];
        if (next !== undefined) {
          seen++;
          return next;
        }
      }
      throw new Error('No record came.');
    },
    stop: () => running.stop(),
  };
}
