import { expect, test } from 'vitest';
import { openBackend, type BackendOptions } from '#core/service/open-backend.ts';
import { overlaid } from '../../helpers/store/overlaid.ts';
import { runService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf } from '../world.ts';

test('who deletes slowly takes nothing from a device that was put back meanwhile', async () => {
  const [reached, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const open = async (options: BackendOptions) => {
    const backend = await openBackend(options);
    const retire = async (id: string) => {
      if (isSlow) reached.resolve();
      if (isSlow) await goesOn.promise;
      await backend.records.retire(id);
    };
    return { ...backend, records: overlaid(backend.records, { retire }) };
  };
  let isSlow = false;
  const service = await runService({}, { open });
  const { project_id, device_id, device_token: key, undo_id } = await createWorld(service);
  await dataOf(service, 'DELETE', `/_local/v1/undo/${undo_id}`);
  isSlow = true;
  const slow = service.request('DELETE', `/_local/v1/projects/${project_id}/devices/${device_id}`);
  await reached.promise;
  const [kept] = (await dataOf(service, 'GET', '/_local/v1/undo')) as unknown as { readonly id: string }[];
  const restored = await service.request('POST', `/_local/v1/undo/${kept?.id}`, { body: {} });
  expect(restored.status).toBe(200);
  goesOn.resolve();
  expect((await slow).status).toBe(200);
  expect((await service.request('POST', '/integrations/http', { key, body: { a: 1 } })).status).toBe(200);
  await service.stop();
});
