import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatMicros } from '#shared/values/time.ts';
import { clockOf, PRESENT } from '../../helpers/clock.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld } from '../world.ts';

/* API keys over their life (docs/api.md, "Access"). */

async function withService(check: (service: RunningService) => Promise<void>): Promise<void> {
  const service = await runService();
  try {
    await check(service);
  } finally {
    await service.stop();
  }
}

const create = async (service: RunningService, body: unknown) =>
  (await service.request('POST', '/_local/v1/keys', { body })).envelope;

test('a key is made, listed without its secret, used and revoked', () =>
  withService(async (service) => {
    const made = (await create(service, { name: 'rig', permissions: ['read', 'read'] })).data as unknown as {
      id: string;
      api_key: string;
    };
    expect(made.api_key).toMatch(/^fb_[0-9A-Za-z]{40}$/);
    const listed = await service.request('GET', '/_local/v1/keys');
    expect(listed.envelope.data).toMatchObject([
      { id: made.id, name: 'rig', permissions: ['read'], expires_at: null, role: 'user' },
      { role: 'service' },
    ]);
    expect(listed.text).not.toContain(made.api_key);
    expect((await service.request('GET', '/v2/projects', { key: made.api_key })).status).toBe(200);
    expect((await service.request('DELETE', `/_local/v1/keys/${made.id}`)).status).toBe(200);
    expect((await service.request('GET', '/v2/projects', { key: made.api_key })).envelope).toMatchObject({
      status: 401,
      message: 'The API key is unknown or was revoked.',
    });
  }));

test('a key says when it was used last, over a restart, too', async () => {
  let service = await runService();
  const { directory } = service;
  const made = (await create(service, { name: 'rig', permissions: ['read'] })).data as unknown as {
    api_key: string;
  };
  const lastUsed = async () => {
    const { data } = (await service.request('GET', '/_local/v1/keys')).envelope;
    return (data as unknown as { name: string; last_used: string | null }[]).find(
      ({ name }) => name === 'rig',
    )?.last_used;
  };
  expect(await lastUsed()).toBeNull();
  await service.request('GET', '/v2/projects', { key: made.api_key });
  const used = await lastUsed();
  expect(used).toMatch(/Z$/);
  await service.service.close();
  service = await runService({ directory });
  expect(await lastUsed()).toBe(used);
  await service.request('GET', '/v2/nothing', { key: made.api_key });
  expect(((await lastUsed()) ?? '') > (used ?? '')).toBe(true);
  await service.stop();
});

test("the service's own key is listed as what it is, and stays", () =>
  withService(async (service) => {
    const { data } = (await service.request('GET', '/_local/v1/keys')).envelope;
    const keys = data as unknown as { id: string }[];
    expect(keys).toEqual([
      {
        id: expect.any(String),
        name: 'Fieldbench',
        account_id: service.service.account_id,
        permissions: ['read', 'write', 'delete', 'admin'],
        project_ids: null,
        expires_at: null,
        created_at: expect.any(String),
        role: 'service',
        last_used: expect.any(String),
      },
    ]);
    const revoked = await service.request('DELETE', `/_local/v1/keys/${keys[0]?.id}`);
    expect(revoked.envelope).toMatchObject({ status: 403, message: expect.stringContaining('ready file') });
    expect((await service.request('GET', '/v2/projects')).status).toBe(200);
  }));

test('an expired key is refused', async () => {
  let now = PRESENT;
  const service = await runService({}, { clock: clockOf(() => now) });
  try {
    const expires = now + 60_000_000;
    const expires_at = formatMicros(expires);
    const { data } = await create(service, { name: 'short', permissions: ['read'], expires_at });
    const { api_key: key } = data as unknown as { api_key: string };
    const read = async () => (await service.request('GET', '/v2/projects', { key })).envelope;
    now = expires - 1;
    expect(await read()).toMatchObject({ status: 200 });
    now = expires;
    expect(await read()).toMatchObject({ status: 401, message: 'The API key has expired.' });
  } finally {
    await service.stop();
  }
});

test.each([
  [{ permissions: ['read'] }, 'name is required'],
  [
    { name: 'x', permissions: [] },
    'permissions must be an array of at least one of "read", "write", "delete", "admin"',
  ],
  [{ name: 'x', permissions: ['root'] }, 'permissions.0 must be'],
  [
    { name: 'x', permissions: ['read'], project_ids: ['nowhere'] },
    'project_ids must be ids of projects of the account',
  ],
  [{ name: 'x', permissions: ['read'], expires_at: 'tomorrow' }, 'expires_at must be an ISO 8601 time'],
  [
    { name: 'x', permissions: ['read'], expires_at: '2001-01-01T00:00:00Z' },
    'expires_at must lie in the future',
  ],
])('a key is not made from %j', (body, message) =>
  withService(async (service) => {
    const answer = await create(service, body);
    expect(answer).toMatchObject({ status: 400, data: null });
    expect(answer.message).toContain(message);
  }),
);

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic abc',
  'fb_0000000000000000000000000000000000000000',
  'Token x',
])('the header %j is refused with 401', (authorization) =>
  withService(async (service) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await service.request('GET', '/v2/projects', { key: null, headers });
    expect(answer.envelope).toMatchObject({
      success: false,
      action: 'get projects',
      status: 401,
      data: null,
    });
    expect(answer.envelope.message).toContain('Bearer <API_KEY>');
  }),
);

test('accounts do not see each other', () =>
  withService(async (service) => {
    const world = await createWorld(service);
    const key = world.strangers_key;
    expect((await service.request('GET', '/v2/projects', { key })).envelope.data).toEqual([]);
    const own = await service.request('POST', '/_local/v1/projects', { key, body: { name: 'Theirs' } });
    const { id } = own.envelope.data as unknown as { id: string };
    expect((await service.request('GET', `/v2/projects/${id}`)).status).toBe(403);
    expect((await service.request('GET', `/v2/projects/${id}`, { key })).status).toBe(200);
  }));

// Looks into files.
test.runIf(inFolder)('neither keys nor tokens reach the disk in plain text', () =>
  withService(async (service) => {
    const world = await createWorld(service);
    const files = ['metadata.json', 'metadata.journal'].map((name) =>
      readFile(join(service.directory, name), 'utf8'),
    );
    const metadata = (await Promise.all(files)).join('');
    expect(metadata).toContain(world.device_id);
    for (const secret of [world.device_token, world.strangers_key, service.service.api_key])
      expect(metadata).not.toContain(secret);
  }),
);

// Of a vault that ends with its process.
test.runIf(inFolder)(
  'a key the vault has lost is replaced at the next start; a token it has lost still stores',
  async () => {
    const first = await runService();
    const world = await createWorld(first);
    await first.service.close();
    const second = await runService({ directory: first.directory });
    try {
      expect(second.service.api_key).not.toBe(first.service.api_key);
      expect((await second.request('GET', '/v2/projects', { key: first.service.api_key })).status).toBe(401);
      const device = `/v2/projects/${world.project_id}/devices/${world.device_id}`;
      const { envelope } = await second.request('GET', device);
      expect(envelope.data).toMatchObject({
        device_credentials: { device_id: world.device_id, device_token: '' },
      });
      expect(
        (await second.request('POST', '/integrations/http', { key: world.device_token, body: { a: 1 } }))
          .status,
      ).toBe(200);
      const renewed = await second.request(
        'POST',
        `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/token`,
      );
      const { device_token } = renewed.envelope.data as unknown as { device_token: string };
      const again = await second.request('GET', device);
      expect(again.envelope.data).toMatchObject({ device_credentials: { device_token } });
      const store = (key: string) => second.request('POST', '/integrations/http', { key, body: { a: 1 } });
      expect([(await store(device_token)).status, (await store(world.device_token)).status]).toEqual([
        200, 401,
      ]);
    } finally {
      await second.stop();
    }
  },
);

// Of a vault that ends with its process.
test.runIf(inFolder)(
  'a token that stores nothing any more is never shown: the vault may hold one from before',
  async () => {
    const first = await runService({ vault: 'file' });
    const { directory } = first;
    const { project_id, device_id } = await createWorld(first);
    await first.service.close();
    const second = await runService({ directory, vault: 'memory' });
    const path = `/_local/v1/projects/${project_id}/devices/${device_id}/token`;
    expect((await second.request('POST', path)).status).toBe(200);
    await second.service.close();
    const third = await runService({ directory, vault: 'auto' });
    try {
      const { envelope } = await third.request('GET', `/v2/projects/${project_id}/devices/${device_id}`);
      expect(envelope.data).toMatchObject({ device_credentials: { device_id, device_token: '' } });
    } finally {
      await third.stop();
    }
  },
);

test('a key that is revoked while its body comes does nothing any more', () =>
  withService(async (service) => {
    const { id, api_key } = (
      await service.request('POST', '/_local/v1/keys', { body: { name: 'leaked', permissions: ['admin'] } })
    ).envelope.data as unknown as { id: string; api_key: string };
    const held = request(`${service.service.http_url}/_local/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      agent: false,
    });
    const answered = once(held, 'response') as Promise<[IncomingMessage]>;
    held.write('{"name":"another","permissions":["admin"]');
    // Until the service has its head and waits for the rest.
    await service.request('GET', '/v2/projects', { key: api_key });
    expect((await service.request('DELETE', `/_local/v1/keys/${id}`)).status).toBe(200);
    held.end('}');
    expect((await answered)[0].statusCode).toBe(401);
    const { envelope } = await service.request('GET', '/_local/v1/keys');
    expect(JSON.stringify(envelope.data)).not.toContain('another');
  }));
