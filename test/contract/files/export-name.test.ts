import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld } from '../world.ts';

/* An exported file keeps the name of its device (docs/local-api.md, "Beyond /v2"). */

let service: RunningService;
beforeAll(async () => {
  service = await runService();
});
afterAll(() => service.stop());

test.each(['csv', 'ndjson', 'parquet', 'xlsx', 'html'])(
  'a device called Größe is exported as Größe.%s',
  async (format) => {
    const { project_id, device_id } = await createWorld(service);
    const device = `/_local/v1/projects/${project_id}/devices/${device_id}`;
    await service.request('PATCH', device, { body: { name: 'Größe' } });
    const { headers } = await service.request('GET', `${device}/records?format=${format}`);
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e_2026-03-02.${format}"; filename*=UTF-8''Gr%C3%B6%C3%9Fe_2026-03-02.${format}`,
    );
  },
);

test('the name says the days of the records, and which of two devices of one name it is', async () => {
  const { project_id, device_id, device_token } = await createWorld(service);
  const project = `/_local/v1/projects/${project_id}`;
  await service.request('POST', '/integrations/http', {
    key: device_token,
    body: { timestamp: '2026-03-04T23:30:00Z', temperature: 1 },
  });
  const named = async (query: string) => {
    const { headers } = await service.request('GET', `${project}/devices/${device_id}/records${query}`);
    return /filename="(.*?)"/.exec(headers.get('content-disposition') ?? '')?.[1];
  };
  expect(await named('')).toBe('ESP32_2026-03-02_2026-03-04.ndjson');
  expect(await named('?format=csv&zone=Europe/Berlin')).toBe('ESP32_2026-03-02_2026-03-05.csv');
  expect(await named('?end=1990-01-01T00:00:00Z')).toBe('ESP32.ndjson');
  const other = { name: 'ESP32', source: 'http' };
  await service.request('POST', `/v2/projects/${project_id}/devices`, { body: other });
  expect(await named('?end=1990-01-01T00:00:00Z')).toBe(`ESP32_${device_id.slice(0, 4)}.ndjson`);
});
