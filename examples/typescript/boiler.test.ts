import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, startService, type Service } from 'fieldbench/client';

let service: Service;
before(async () => {
  service = await startService({ inMemory: true, seed: 42, clock: 'frozen@2026-01-15T10:30:00Z' });
});
after(() => service.stop());

test('a boiler reports its temperature', async () => {
  // A world of its own: tests that run at the same time do not see one another.
  const world = await service.client.accounts.create({ name: 'boiler' });
  const client = createClient({ url: service.url, key: world.api_key });
  const project = await client.projects.create({ name: 'Boiler room' });
  const device = await client.devices.create({ project_id: project.id, name: 'Boiler', source: 'http' });

  // In place of the program under test.
  await client.ingest({ token: device.metadata.device_token, records: { temperature: 71.5 } });

  const seen = await client.requests.verify({
    match: { operation: 'ingest', device_id: device.id },
    body: { temperature: { gt: 70 } },
    count: 1,
    within_ms: 5000,
  });
  assert.equal(seen.matched, true, JSON.stringify(seen.nearest));
});
