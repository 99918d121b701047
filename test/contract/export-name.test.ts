import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../helpers/running-service.ts';
import { createWorld } from './world.ts';

/* An exported file keeps the name of its device (docs/api.md, "Beyond /v2"). */

let service: RunningService;
beforeAll(async () => {
  service = await runService();
});
afterAll(() => service.stop());

test.each(['csv', 'ndjson'])('a device called Größe is exported as Größe.%s', async (format) => {
  const { project_id, device_id } = await createWorld(service);
  const device = `/_local/v1/projects/${project_id}/devices/${device_id}`;
  await service.request('PATCH', device, { body: { name: 'Größe' } });
  const { headers } = await service.request('GET', `${device}/records?format=${format}`);
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="Gr__e.${format}"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.${format}`,
  );
});
