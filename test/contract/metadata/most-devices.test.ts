import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_DEVICES } from '#core/api/devices/most-devices.ts';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* Each device that has stored takes memory, so a key that makes devices may not make any number of them. */

let service: RunningService;
const most = { ...MOST_DEVICES };
beforeAll(async () => {
  Object.assign(MOST_DEVICES, { project: 4, installation: 6 });
  service = await runService({}, { isAlone: true });
});
afterAll(async () => {
  Object.assign(MOST_DEVICES, most);
  await service.stop();
});

const project = async () => (await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Rig' })).id;
const tooMany = (status: number, message: string) => ({ status: 400, envelope: { status, message } });

test('of a project and of all no more devices are made than there may be, in whichever way', async () => {
  const [first, second] = [await project(), await project()];
  const v2 = (id: string) => `/v2/projects/${id}/devices`;
  const local = (id: string) => `/_local/v1/projects/${id}/devices`;
  const one = { name: 'One', source: 'http' };
  const handedOver = () => ({ ...one, id: randomUUID(), token_hash: hash('sha256', randomUUID(), 'hex') });
  await dataOf(service, 'POST', local(first), { devices: [one, one] });
  const { id } = await dataOf(service, 'POST', v2(first), one);
  const inProject = tooMany(
    400,
    'A project must have at most 4 devices, has 3, and would get 2 more; delete some',
  );
  expect(await service.request('POST', local(first), { body: { devices: [one, one] } })).toMatchObject(
    inProject,
  );
  await dataOf(service, 'POST', `/_local/v1/projects/${first}/sync/devices`, handedOver());
  const full = tooMany(
    400,
    'A project must have at most 4 devices, has 4, and would get 1 more; delete some',
  );
  expect(await service.request('POST', v2(first), { body: one })).toMatchObject(full);
  expect(
    await service.request('POST', `/_local/v1/projects/${first}/sync/devices`, { body: handedOver() }),
  ).toMatchObject(full);
  const moved = (await dataOf(service, 'POST', v2(second), one)).id;
  expect(
    await service.request('POST', `${local(second)}/${moved}/move`, { body: { to: first } }),
  ).toMatchObject(full);
  await dataOf(service, 'POST', v2(second), one);
  // Devices in a database take no memory of a service.
  expect(await service.request('POST', v2(second), { body: one })).toMatchObject(
    inDatabase
      ? { status: 201 }
      : tooMany(
          400,
          'The whole installation must have at most 6 devices, has 6, and would get 1 more; delete some',
        ),
  );
  // What was deleted comes back, whatever was made in its place.
  const { undo } = await dataOf(service, 'DELETE', `${local(first)}/${id}`);
  await dataOf(service, 'POST', v2(first), one);
  await dataOf(service, 'POST', `/_local/v1/undo/${(undo as { id: string }).id}`);
  expect((await service.request('GET', v2(first))).envelope.data).toHaveLength(5);
});
