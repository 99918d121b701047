import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FolderOptions } from '#core/folder/open-folder.ts';
import { httpOperationIds, operationOf } from '#shared/operations/index.ts';
import { reads } from '#shared/operations/reads.ts';
import { createMemoryMetadata } from '../../helpers/store/memory-metadata.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { memoryKeychain, openWith } from '../../helpers/store/vaults.ts';
import { createWorld, inputOf, send, SETTABLE, type World } from '../world.ts';

/* Metadata whose every value has to be waited for, as a database's would: whoever takes a Promise for a row fails. */

/** A vault that can be moved, and then rotated. */
const openVaulted = openWith(memoryKeychain());
const open = async (options: FolderOptions) => ({
  ...(await openVaulted(options)),
  metadata: createMemoryMetadata(),
  worlds: null,
});

let service: RunningService;
let world: World;
/** Whether it is as it was made: what reads leaves it so. */
let isWhole = false;

beforeAll(async () => {
  service = await runService({ vault: 'auto', clock: SETTABLE }, { open });
});
afterAll(() => service.stop());

// Snapshots of worlds are of metadata that are at hand.
const asked = httpOperationIds.filter((id) => !id.startsWith('snapshots.'));

test.each(asked)('%s does what it does, and refuses whom it refuses', async (id) => {
  if (!isWhole) world = await createWorld(service);
  isWhole = reads(id);
  const input = inputOf(id, world);
  expect((await send(service, id, input, 'fb_unknown')).status).toBe(401);
  expect((await send(service, id, input, world.strangers_key)).status).toBe(
    isOfAnother(id) ? 403 : operationOf(id).status,
  );
  if (operationOf(id).path.includes('project_id')) {
    const nowhere = { ...input, project_id: crypto.randomUUID() };
    expect((await send(service, id, nowhere)).status).toBe(404);
  }
  // What a stranger may make for itself has another id than ours.
  const answer = await send(service, id, inputOf(id, world));
  expect(answer.status, answer.text).toBe(operationOf(id).status);
});

/** Whether an operation is about what a key of a further account may not touch. */
function isOfAnother(id: (typeof httpOperationIds)[number]): boolean {
  const { path, reach } = operationOf(id);
  return (
    path.includes(':') || id === 'functions.create' || id === 'simulators.create' || reach === 'installation'
  );
}

test('a revoked key and a renewed token are refused', async () => {
  world = await createWorld(service);
  const key = await service.request('POST', '/_local/v1/keys', {
    body: { name: 'short-lived', permissions: ['read'] },
  });
  const { id, api_key } = key.envelope.data as unknown as { id: string; api_key: string };
  expect((await service.request('GET', '/v2/projects', { key: api_key })).status).toBe(200);
  await service.request('DELETE', `/_local/v1/keys/${id}`);
  expect((await service.request('GET', '/v2/projects', { key: api_key })).status).toBe(401);
  await send(service, 'devices.renew-token', inputOf('devices.renew-token', world));
  const stored = await service.request('POST', '/integrations/http', {
    key: world.device_token,
    body: { a: 1 },
  });
  expect(stored.status).toBe(401);
});

test('of two deletes at once one finds nothing, and storing meanwhile leaves no log behind', async () => {
  world = await createWorld(service);
  const { device_id, device_token: key } = world;
  const store = () => service.request('POST', '/integrations/http', { key, body: { a: 1 } });
  const remove = () => send(service, 'devices.delete', inputOf('devices.delete', world));
  const [first, second, ...stored] = await Promise.all([
    remove(),
    remove(),
    ...Array.from({ length: 20 }, store),
  ]);
  expect(new Set([first.status, second.status])).toEqual(new Set([200, 404]));
  for (const { status } of stored) expect([200, 401, 404]).toContain(status);
  expect(await readdir(join(service.directory, 'data'))).not.toContain(device_id);
});
