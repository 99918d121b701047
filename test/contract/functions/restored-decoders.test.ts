import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { backupOf, restored } from '../backup/backups.ts';
import { dataOf } from '../world.ts';

/* Decoders that a restore brings back decode, and those that it finds go on. */

let service: RunningService;
let device: { readonly id: string; readonly token: string };
let local: string;
beforeAll(async () => void (service = await runService()));
afterAll(() => service.stop());

beforeEach(async () => {
  const { id: project } = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Cold store' });
  local = `/_local/v1/projects/${project}`;
  const made = await dataOf(service, 'POST', `/v2/projects/${project}/devices`, {
    name: 'Door 3',
    source: 'http',
  });
  const { device_token: token } = made['metadata'] as { readonly device_token: string };
  device = { id: made.id, token };
});

const SCRIPT = 'function decodeUplink({ bytes }) { return { data: { t: bytes[0] } }; }';
const add = () =>
  dataOf(service, 'POST', `${local}/functions`, {
    device_id: device.id,
    name: 'Door',
    type: 'decoder',
    script: SCRIPT,
    condition: { payload: 'hex' },
  });

async function expectDecoded(hex: string): Promise<void> {
  const raw = { type: 'text/plain', bytes: hex };
  const { envelope } = await service.request('POST', '/integrations/http', { key: device.token, raw });
  expect([hex, envelope.success]).toEqual([hex, true]);
}

test.skipIf(inDatabase)('a decoder that was deleted since decodes again', async () => {
  const { id } = await add();
  const file = await backupOf(service, `?device_id=${device.id}`);
  await dataOf(service, 'DELETE', `${local}/functions/${id}`);
  await restored(service, file);
  expect(await dataOf(service, 'GET', `${local}/functions/${id}`)).toMatchObject({ problem: null });
  await expectDecoded('0c');
});

test.skipIf(inDatabase)('a decoder that was added since goes on, though its device is replaced', async () => {
  const { id } = await add();
  await dataOf(service, 'PATCH', `${local}/functions/${id}`, { enabled: false });
  const file = await backupOf(service, `?device_id=${device.id}`);
  await dataOf(service, 'DELETE', `${local}/functions/${id}`);
  await add();
  await restored(service, file, '?replace=true');
  await expectDecoded('0c');
});
