import { mkdir } from 'node:fs/promises';
import { runService } from '../../helpers/service/running-service.ts';
import type { Source } from '#shared/domain/sources.ts';
import type { Place } from './place.ts';

/** How long a record may take to arrive before it is called missing. */
const ARRIVES_MS = 20_000;

/** The service with all of its doors open and a device of a source, in a folder that it makes. */
export async function startPlace(directory: string, source: Source): Promise<Place> {
  await mkdir(directory, { recursive: true });
  const running = await runService({
    directory,
    tls: true,
    port: 0,
    httpPort: 0,
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
  }>('POST', device, { name: 'Meter', source });
  const { ca_file, ca_certificate } = await data<{ ca_file: string; ca_certificate: string }>(
    'GET',
    '/_local/v1/status',
  );
  const { mqtt_url, mqtts_url, base_url, http_url } = running.service;
  let seen = 0;
  return {
    addresses: { mqtt_url, mqtts_url, base_url, http_url, network_hosts: [], ca_file, ca_certificate },
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
