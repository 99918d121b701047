import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Job } from '#shared/domain/events.ts';
import type { Principal } from '#core/api/call.ts';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { hasPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
import { openWindow, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf, RECORDS, UPLOAD } from '../world.ts';

/* What matters between services over one database; each test asks a random one of three where it does not say which. */

describe.skipIf(!hasPostgres)('three services over one database', () => {
  let postgres: Postgres;
  let lab: Lab;
  let a: RunningService;
  let b: RunningService;
  let c: RunningService;

  beforeAll(async () => {
    postgres = await sharedPostgres();
    lab = await startLab(postgres, 3);
    [a, b, c] = lab.services as [RunningService, RunningService, RunningService];
  });
  afterAll(async () => {
    await lab.stop();
  });

  /** A project and a device in it, made at A. */
  async function aDevice() {
    const project = await dataOf(a, 'POST', '/_local/v1/projects', { name: 'Boiler room' });
    const path = `/v2/projects/${project.id}/devices`;
    const device = await dataOf(a, 'POST', path, { name: 'ESP32', source: 'http' });
    const { device_token: token } = device['metadata'] as { device_token: string };
    return { project_id: project.id, path: `${path}/${device.id}`, device_id: device.id, token };
  }

  const store = async (service: RunningService, token: string, body: unknown) =>
    (await service.request('POST', '/integrations/http', { key: token, body })).status;

  test('started at once they have one account and one key', async () => {
    expect(new Set(lab.services.map(({ service }) => service.account_id)).size).toBe(1);
    expect(new Set(lab.services.map(({ service }) => service.api_key)).size).toBe(1);
    const answers = await Promise.all(
      [a, b, c].map((each) => each.request('GET', '/_local/v1/status', { key: a.service.api_key })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('a device made at one is found at another, stores at a third, and its records are read at the first', async () => {
    const { path, token } = await aDevice();
    expect((await b.request('GET', path)).status).toBe(200);
    expect(await store(c, token, RECORDS)).toBe(200);
    const page = await a.request('GET', `${path}/data?page=1&limit=10&range=all`);
    expect(page.headers.get('x-total-count')).toBe('3');
  });

  test('a key revoked at one is refused at all the others from its answer on', async () => {
    for (let i = 0; i < 5; i++) {
      const key = await dataOf(a, 'POST', '/_local/v1/keys', { name: 'rig', permissions: ['read'] });
      const secret = String(key['api_key']);
      expect((await b.request('GET', '/_local/v1/status', { key: secret })).status).not.toBe(401);
      expect((await c.request('DELETE', `/_local/v1/keys/${key.id}`)).status).toBe(200);
      const later = [a, b, c].map((each) => each.request('GET', '/_local/v1/status', { key: secret }));
      expect((await Promise.all(later)).map(({ status }) => status)).toEqual([401, 401, 401]);
    }
  });

  test('a token renewed at one stores nothing any more at another', async () => {
    const { path, token } = await aDevice();
    expect(await store(b, token, RECORDS)).toBe(200);
    const renewed = await dataOf(c, 'POST', `${path.replace('/v2/', '/_local/v1/')}/token`);
    expect(await store(b, token, RECORDS)).toBe(401);
    expect(await store(b, String(renewed['device_token']), RECORDS)).toBe(200);
  });

  test('a window of one hears what is stored at another, and a key for another project does not', async () => {
    const own = await aDevice();
    const other = await aDevice();
    const heard: string[] = [];
    const overheard: string[] = [];
    const window = openWindow(b.service);
    window.bridge.subscribe('records.stored', ({ device_id }) => void heard.push(device_id));
    const limited: Principal = { ...b.service.owner, project_ids: new Set([other.project_id]) };
    const narrow = openWindow(b.service, limited);
    narrow.bridge.subscribe('records.stored', ({ device_id }) => void overheard.push(device_id));
    await store(a, own.token, RECORDS);
    await store(c, other.token, RECORDS);
    await expect.poll(() => heard).toEqual(expect.arrayContaining([own.device_id, other.device_id]));
    await expect.poll(() => overheard).toEqual([other.device_id]);
    window.close();
    narrow.close();
  });

  test('what is deleted at one is gone at another, and comes back from a third', async () => {
    const { path, token } = await aDevice();
    await store(a, token, RECORDS);
    const local = path.replace('/v2/', '/_local/v1/');
    const { undo } = await dataOf(b, 'DELETE', local);
    expect((await a.request('GET', path)).status).toBe(404);
    expect(await store(c, token, RECORDS)).toBe(401);
    const { id } = undo as { id: string };
    await dataOf(c, 'POST', `/_local/v1/undo/${id}`);
    const page = await a.request('GET', `${path}/data?page=1&limit=10&range=all`);
    expect(page.headers.get('x-total-count')).toBe('3');
    expect(await store(b, token, RECORDS)).toBe(200);
  });

  test('a job of one is seen at another, and cancelled there', async () => {
    const { project_id, device_id } = await aDevice();
    const jobsAt = async (service: RunningService) =>
      (await service.request('GET', '/_local/v1/jobs')).envelope as unknown as { data: Job[] };
    const { promise: never } = Promise.withResolvers<void>();
    const bytes = new Blob([UPLOAD.repeat(20_000)]);
    const file = {
      size: bytes.size,
      slice: (start: number, end: number) => ({
        async arrayBuffer() {
          if (start > bytes.size / 2) await never;
          return bytes.slice(start, end).arrayBuffer();
        },
      }),
    };
    const done = a.bridge.upload('records.import', { project_id, device_id, format: 'ndjson' }, file);
    const seen = { timeout: 10_000 };
    await expect.poll(async () => (await jobsAt(b)).data.map(({ kind }) => kind), seen).toEqual(['import']);
    const [job] = (await jobsAt(b)).data;
    await dataOf(c, 'POST', '/_local/v1/jobs/cancel', { id: job?.id });
    expect(await done).toMatchObject({ success: false, message: 'The import was cancelled.' });
    await expect.poll(async () => (await jobsAt(c)).data, seen).toEqual([]);
  });
});
