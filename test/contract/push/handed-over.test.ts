import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBackend, type BackendOptions } from '#core/service/open-backend.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* What another Fieldbench hands over keeps its bounds here: tokens, ids and times of receipt (docs/local-api.md, "Sync"). */

let service: RunningService;
let project: string;
let device: { readonly id: string; readonly token: string };
/** A key of another account, which has a project of its own. */
let stranger: { readonly key: string; readonly project: string };

let metadata: Metadata;

beforeAll(async () => {
  const open = async (options: BackendOptions) => {
    const backend = await openBackend(options);
    metadata = backend.metadata;
    return backend;
  };
  service = await runService({}, { open });
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = (await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Boiler room' })).id;
  const path = `/v2/projects/${project}/devices`;
  const made = await dataOf(service, 'POST', path, { name: 'Pump', source: 'http' });
  device = { id: made.id, token: (made['metadata'] as { device_token: string }).device_token };
  const account = await dataOf(service, 'POST', '/_local/v1/accounts', { name: 'Strangers' });
  const key = account['api_key'] as string;
  const body = { name: 'Theirs' };
  const theirs = await service.request('POST', '/_local/v1/projects', { key, body });
  stranger = { key, project: (theirs.envelope.data as unknown as { id: string }).id };
});

const tokenHash = () => hash('sha256', device.token, 'hex');
const removeDevice = () =>
  dataOf(
    service,
    'DELETE',
    `/_local/v1/projects/${project}/devices/${device.id}`,
  ) as Promise<unknown> as Promise<{
    undo: { id: string };
  }>;

function addDevice(given: { id?: string; token_hash?: string }, { key, project: to } = stranger) {
  const fields = {
    id: randomUUID(),
    name: 'Thief',
    source: 'http',
    token_hash: hash('sha256', randomUUID(), 'hex'),
  };
  const body = { ...fields, ...given };
  return service.request('POST', `/_local/v1/projects/${to}/sync/devices`, { key, body });
}

describe('the token of a deleted device', () => {
  test('goes to no other device, and is its own again when the delete is undone', async () => {
    const { undo } = await removeDevice();
    const { envelope } = await addDevice({ token_hash: tokenHash() });
    expect(envelope).toMatchObject({ status: 400, message: expect.stringContaining('token_hash must be') });

    await dataOf(service, 'POST', `/_local/v1/undo/${undo.id}`);
    const stored = await service.request('POST', '/integrations/http', {
      key: device.token,
      body: { secret: 43 },
    });
    expect(stored.status).toBe(200);
    const list = `/v2/projects/${project}/devices/${device.id}/data?page=1&limit=10&range=all`;
    expect((await service.request('GET', list)).envelope.data).toMatchObject([{ secret: 43 }]);
  });

  test('goes to another device once the delete was made final', async () => {
    const { undo } = await removeDevice();
    await dataOf(service, 'DELETE', `/_local/v1/undo/${undo.id}`);
    expect((await addDevice({ token_hash: tokenHash() })).status).toBe(200);
  });

  test('that another device has by now stands against the undo, which then is possible still', async () => {
    const { undo } = await removeDevice();
    // As versions before this one let it come to.
    await metadata.change((tables) =>
      tables.insert('devices', {
        id: 'thief',
        project_id: stranger.project,
        name: 'Thief',
        description: '',
        source: 'http',
        tags: [],
        brand: '',
        model: '',
        avatar: null,
        metadata: {},
        interval_s: null,
        token_hash: tokenHash(),
        created: 0,
      }),
    );
    const path = `/_local/v1/undo/${undo.id}`;
    const refused = await service.request('POST', path);
    expect(refused.envelope).toMatchObject({
      status: 400,
      message: expect.stringMatching(/id thief has the token of a deleted one: issue it a new token first/),
    });
    const renew = `/_local/v1/projects/${stranger.project}/devices/thief/token`;
    expect((await service.request('POST', renew, { key: stranger.key })).status).toBe(200);
    expect((await service.request('POST', path)).status).toBe(200);
  });
});

describe('ids of another account', () => {
  test('are refused in the same words, whether what has them is there or was deleted', async () => {
    const there = await addDevice({ id: device.id });
    await removeDevice();
    const deleted = await addDevice({ id: device.id });
    expect(deleted.text).toBe(there.text);
    expect(there.envelope).toMatchObject({
      status: 403,
      message: 'This API key has no access to what has this id.',
    });
  });

  test('of projects, too', async () => {
    const add = () =>
      service.request('POST', '/_local/v1/sync/projects', {
        key: stranger.key,
        body: { id: project, name: 'Boiler room' },
      });
    const there = await add();
    await dataOf(service, 'DELETE', `/_local/v1/projects/${project}`);
    expect((await add()).text).toBe(there.text);
    expect(there.envelope.status).toBe(403);
  });
});

describe('a time of receipt', () => {
  const merge = (received: string) =>
    service.request('POST', `/_local/v1/projects/${project}/devices/${device.id}/merge`, {
      raw: {
        type: 'application/x-ndjson',
        bytes: `{"timestamp":"2026-03-02T21:00:00Z","received":"${received}","values":{"a":1}}\n`,
      },
    });

  test.each([
    '0000-01-01T00:00:00Z',
    '1699-12-31T23:59:59.999999Z',
    '2201-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('of %s is refused with its record', async (received) => {
    expect((await merge(received)).envelope).toMatchObject({
      status: 400,
      message: `record 1: received must be an ISO 8601 time with "Z" or an offset in the years 1700 to 2200, got "${received}"`,
    });
  });

  test.each(['1700-01-01T00:00:00Z', '2200-12-31T23:59:59.999999Z'])('of %s is taken', async (received) => {
    expect((await merge(received)).status).toBe(200);
  });
});
