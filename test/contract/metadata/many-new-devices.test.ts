import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* Making many devices at once (docs/local-api.md, "Many devices at once"). */

const MANY = 10_000;

let service: RunningService;
let project: string;

const create = (devices: unknown) =>
  service.request('POST', `/_local/v1/projects/${project}/devices`, { body: { devices } });
const count = async () => {
  const found = await service.request('GET', `/_local/v1/projects/${project}/devices?limit=1`);
  return Number(found.headers.get('x-total-count'));
};

beforeAll(async () => {
  service = await runService();
  project = (await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Many' })).id;
});
afterAll(() => service.stop());

test('all are made, in their order, each with a token that stores', async () => {
  const { envelope } = await create([
    { name: 'Pump 1', tags: ['line-3'], source: 'http', interval_s: 60 },
    { name: 'Pump 2', description: 'behind the door', brand: 'Acme', model: 'T10', source: 'mqtt' },
  ]);
  expect(envelope).toMatchObject({ status: 201, action: 'create devices' });
  const made = envelope.data as unknown as { id: string; name: string; metadata: { device_token: string } }[];
  expect(made).toMatchObject([
    { name: 'Pump 1', brand: 'Custom', tags: ['line-3'] },
    { name: 'Pump 2', brand: 'Acme', model: 'T10', description: 'behind the door' },
  ]);
  const stored = await service.request('POST', '/integrations/http', {
    key: made[0]?.metadata.device_token ?? '',
    body: { bar: 1 },
  });
  expect(stored.status).toBe(200);
  const { data } = (await service.request('GET', `/_local/v1/projects/${project}/devices?sort=name`))
    .envelope;
  expect(data).toMatchObject([
    { name: 'Pump 1', interval_s: 60, source: 'http', status: 'online' },
    { name: 'Pump 2', interval_s: null, source: 'mqtt', status: 'never' },
  ]);
});

test.each([
  [[{ name: 'Good' }, { name: '' }], 'devices.1.name must be text of 1 to 100 characters, got ""'],
  [[{ name: 'Good' }, {}], 'devices.1.name is required: it must be text of 1 to 100 characters'],
  [[{ name: 'Good', source: 'usb' }], 'devices.0.source must be "http" or "mqtt", got "usb"'],
  [
    [{ name: 'Good', interval_s: 0 }],
    'devices.0.interval_s must be seconds from 0.001 to 31536000, or null, got 0',
  ],
  [[], 'devices must be an array of 1 to 10000 devices, got []'],
  ['Good', 'devices must be an array of 1 to 10000 devices, got "Good"'],
])('none is made of %j, and it is said which is wrong', async (devices, message) => {
  const before = await count();
  expect((await create(devices)).envelope).toMatchObject({ status: 400, message });
  expect(await count()).toBe(before);
});

test('ten thousand at once', { timeout: 60_000 }, async () => {
  const before = await count();
  const devices = Array.from({ length: MANY }, (_, n) => ({ name: `Sensor ${n}`, tags: ['field'] }));
  expect((await create(devices)).status).toBe(201);
  expect(await count()).toBe(before + MANY);
  expect((await create([...devices, { name: 'One more' }])).status).toBe(400);
  expect(await count()).toBe(before + MANY);
});
