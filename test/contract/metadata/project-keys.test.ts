import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';

/* docs/local-api.md, "Keys of a project". */

let service: RunningService;
beforeAll(async () => void (service = await runService()));
afterAll(() => service.stop());

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { envelope } = await service.request(method, path, { body });
  expect(envelope).toMatchObject({ success: true });
  return envelope.data as T;
}

test('the keys of a project are those of all its devices, and of no other', async () => {
  const [project, other] = await Promise.all(
    ['Hall', 'Roof'].map(
      async (name) => (await call<{ id: string }>('POST', '/_local/v1/projects', { name })).id,
    ),
  );
  const keysOf = () => call('GET', `/_local/v1/projects/${project}/keys`);
  expect(await keysOf()).toEqual({ keys: [], complete: true });
  const make = (id: string | undefined, count: number) =>
    call<{ metadata: { device_token: string } }[]>('POST', `/_local/v1/projects/${id}/devices`, {
      devices: Array.from({ length: count }, (_, n) => ({ name: `Device ${n}` })),
    });
  const devices = await make(project, 50);
  const [stranger] = await make(other, 1);
  const store = (of: { metadata: { device_token: string } } | undefined, record: object) =>
    service.request('POST', '/integrations/http', {
      key: of?.metadata.device_token ?? '',
      body: record,
    });
  for (const [n, device] of devices.entries())
    await store(device, n === 47 ? { a: 1, b: 2, door: 'open' } : { a: 1, b: 2 });
  await store(stranger, { secret: 1 });
  expect(await keysOf()).toEqual({ keys: ['a', 'b', 'door'], complete: true });
});
