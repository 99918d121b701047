import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Principal } from '#core/api/call.ts';
import { openFolder, type FolderOptions } from '#core/folder/open-folder.ts';
import type { UploadSource } from '#shared/bridge/bridge.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { openWindow, runService, type RunningService } from '../helpers/service/running-service.ts';
import { createWorld, dataOf, UPLOAD, without, type World } from './world.ts';

/* What runs is seen, and ended, by whoever could have started it: from any window, and from one opened later. */

let service: RunningService;
let world: World;
/** A purge waits until this is called. */
let goOn = () => {};

const open = async (options: FolderOptions) => {
  const backend = await openFolder(options);
  const purge = backend.records.purge.bind(backend.records);
  backend.records.purge = async (...purged) => {
    await new Promise<void>((resolve) => (goOn = resolve));
    return purge(...purged);
  };
  return backend;
};

beforeAll(async () => {
  service = await runService({}, { open });
  world = await createWorld(service);
  const body = Array.from({ length: 20_000 }, (_, n) => ({ timestamp: n, n, text: 'x'.repeat(400) }));
  const stored = await service.request('POST', '/integrations/http', { key: world.device_token, body });
  expect(stored.status).toBe(200);
});
afterAll(() => service.stop());

const target = () => ({ project_id: world.project_id, device_id: world.device_id });

/** A file whose second half comes when `more` is called. */
function halting(): UploadSource & { readonly more: () => void } {
  const held = Promise.withResolvers<void>();
  const file = new Blob([UPLOAD.repeat(20_000)]);
  return {
    size: file.size,
    slice: (start, end) => ({
      async arrayBuffer() {
        if (start > file.size / 2) await held.promise;
        return file.slice(start, end).arrayBuffer();
      },
    }),
    more: held.resolve,
  };
}

async function running(key?: string) {
  const { envelope } = await service.request('GET', '/_local/v1/jobs', key === undefined ? {} : { key });
  return envelope.data as unknown as readonly Record<string, unknown>[];
}

async function cancel(id: unknown, key?: string) {
  const by = key === undefined ? {} : { key };
  const { status, envelope } = await service.request('POST', '/_local/v1/jobs/cancel', {
    body: { id },
    ...by,
  });
  return { status, data: envelope.data as unknown, message: envelope.message };
}

const count = async () =>
  (
    await dataOf(service, 'GET', `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/summary`)
  )['records'];

test('an import is listed while it runs, for those alone who could have started it', async () => {
  const file = halting();
  const done = service.bridge.upload('records.import', { ...target(), format: 'ndjson' }, file);
  await expect
    .poll(() => running())
    .toMatchObject([
      {
        kind: 'import',
        ...target(),
        name: 'ESP32',
        state: 'running',
        unit: 'bytes',
        total: file.size,
        cancellable: true,
        problem: null,
      },
    ]);
  const [job] = await running();
  const elsewhere = await world.issueKey(PERMISSIONS, [world.other_project_id]);
  for (const key of [world.strangers_key, elsewhere]) {
    expect(await running(key)).toEqual([]);
    expect(await cancel(job?.['id'], key)).toMatchObject({ status: 200, data: { cancelled: false } });
  }
  file.more();
  expect(await done).toMatchObject({ success: true });
  expect(await running()).toEqual([]);
  expect(await cancel(job?.['id'])).toMatchObject({ status: 200, data: { cancelled: false } });
});

test('an import that is cancelled from another window stores nothing, and its own window is told', async () => {
  const before = await count();
  const states: (string | undefined)[] = [];
  const stop = service.bridge.subscribe('jobs.progress', ({ state }) => states.push(state));
  const file = halting();
  const done = service.bridge.upload('records.import', { ...target(), format: 'ndjson' }, file);
  await expect.poll(() => running()).toHaveLength(1);

  const other = openWindow(service.service);
  const { data } = await other.bridge.call('jobs.list', {});
  const id = data?.[0]?.id ?? '';
  expect(await other.bridge.call('jobs.cancel', { id })).toMatchObject({ data: { cancelled: true } });
  expect(await done).toMatchObject({ success: false, message: 'The import was cancelled.' });
  expect(states.at(-1)).toBe('cancelled');
  expect(await count()).toBe(before);
  other.close();
  stop();
});

test('an export whose reader takes nothing can be cancelled, and leaves nothing in the log', async () => {
  const before = service.logged.length;
  const request = httpGet(
    `${service.service.http_url}/_local/v1/projects/${world.project_id}/devices/${world.device_id}/records?format=csv`,
    { headers: { authorization: `Bearer ${service.service.api_key}` }, agent: false },
  );
  request.on('error', () => {});
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const [job] = await running();
  expect(job).toMatchObject({ kind: 'export', unit: 'records', cancellable: true });
  expect(await cancel(job?.['id'])).toMatchObject({ data: { cancelled: true } });
  await expect.poll(() => running()).toEqual([]);
  // It was cut off: what came is no whole file.
  await expect(response.toArray()).rejects.toThrow();
  expect(service.logged.slice(before)).toEqual([]);
});

test('what removes runs to its end: cancelling it is refused with the reason', async () => {
  const path = `/v2/projects/${world.project_id}/devices/${world.device_id}/data`;
  const purged = service.request('DELETE', path);
  await expect.poll(() => running()).toMatchObject([{ kind: 'purge', cancellable: false }]);
  const [job] = await running();
  const answer = await cancel(job?.['id']);
  expect(answer).toMatchObject({ status: 400, message: expect.stringContaining('cannot be cancelled') });
  goOn();
  expect((await purged).status).toBe(200);
});

test('a window of a key sees what its key may', async () => {
  const principal: Principal = {
    account_id: service.service.account_id,
    permissions: new Set(without('admin')),
    project_ids: null,
    key_id: null,
    by: { kind: 'window', name: 'tester' },
  };
  const window = openWindow(service.service, principal);
  expect(await window.bridge.call('jobs.list', {})).toMatchObject({ success: false, status: 403 });
  window.close();
});
