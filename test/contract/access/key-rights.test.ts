import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PERMISSIONS, type Permission } from '#shared/schema/schemas.ts';
import { openFolder } from '#core/folder/open-folder.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';

/* A key grants no more than it has, and accounts are a boundary (docs/api.md, "Access"). */

let service: RunningService;
beforeAll(async () => {
  service = await runService();
});
afterAll(() => service.stop());

interface Made {
  readonly id: string;
  readonly api_key: string;
}

const post = (path: string, body: unknown, key?: string) =>
  service.request('POST', path, { body, ...(key !== undefined && { key }) });

async function make(path: string, body: unknown, key?: string): Promise<Made> {
  const { envelope } = await post(path, body, key);
  if (!envelope.success) throw new Error(`${path}: ${envelope.message}`);
  return envelope.data as unknown as Made;
}

const issue = (body: object, key?: string) => make('/_local/v1/keys', { name: 'k', ...body }, key);

describe('a key that makes keys', () => {
  test('gives no permission that it lacks, and names the first', async () => {
    const { api_key } = await issue({ permissions: ['admin', 'read'] });
    const { envelope } = await post(
      '/_local/v1/keys',
      { name: 'more', permissions: [...PERMISSIONS] },
      api_key,
    );
    expect(envelope).toMatchObject({
      status: 403,
      message: 'This API key lacks the permission "write" and cannot give it to another key.',
    });
    expect((await issue({ permissions: ['read', 'admin'] }, api_key)).api_key).toMatch(/^fb_/);
  });

  test.each([
    ['2090-01-01T00:00:00Z', undefined],
    ['2090-01-01T00:00:00Z', '2090-01-01T00:00:00.000001Z'],
    ['2090-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    // Beyond what whole µs tell apart.
    ['2300-01-01T00:00:00Z', '2300-01-01T00:00:00.000001Z'],
  ])('that expires at %s makes none that expires at %s', async (own, expires_at) => {
    const { api_key } = await issue({ permissions: ['admin'], expires_at: own });
    const { envelope } = await post(
      '/_local/v1/keys',
      { name: 'k', permissions: ['admin'], expires_at },
      api_key,
    );
    expect(envelope.status).toBe(403);
    expect(envelope.message).toContain(`expires at ${own.replace('Z', '.000000Z')}`);
    expect(envelope.message).toContain('expires_at must not be later');
    await issue({ permissions: ['admin'], expires_at: own }, api_key);
  });

  test('gives the first key of an account all permissions there, and its own expiry', async () => {
    const expires_at = '2090-01-01T00:00:00.000000Z';
    const { api_key } = await issue({ permissions: ['admin'], expires_at });
    const account = await make('/_local/v1/accounts', { name: 'Brief' }, api_key);
    const { envelope } = await service.request('GET', '/_local/v1/keys', { key: account.api_key });
    expect(envelope.data).toMatchObject([
      { account_id: account.id, permissions: [...PERMISSIONS], project_ids: null, expires_at },
    ]);
  });
});

test.each([
  ['/_local/v1/keys', { name: 'late', permissions: ['admin'] }],
  ['/_local/v1/accounts', { name: 'late' }],
])('a key that is revoked while the vault is asked makes nothing (%s)', async (path, body) => {
  let gate: Promise<void> | undefined;
  const asked = Promise.withResolvers<void>();
  const slow = await runService(
    {},
    {
      async open(options) {
        const backend = await openFolder(options);
        const { vault } = backend;
        const set = vault.set.bind(vault);
        vault.set = async (...given) => {
          if (gate) asked.resolve();
          await gate;
          await set(...given);
        };
        return backend;
      },
    },
  );
  try {
    const made = await slow.request('POST', '/_local/v1/keys', {
      body: { name: 'leaked', permissions: PERMISSIONS },
    });
    const { id, api_key: key } = made.envelope.data as unknown as Made;
    const open = Promise.withResolvers<void>();
    gate = open.promise;
    const late = slow.request('POST', path, { key, body });
    await asked.promise;
    expect((await slow.request('DELETE', `/_local/v1/keys/${id}`)).status).toBe(200);
    open.resolve();
    expect((await late).status).toBe(401);
    for (const list of ['/_local/v1/keys', '/_local/v1/accounts'])
      expect((await slow.request('GET', list)).text).not.toContain('late');
  } finally {
    await slow.stop();
  }
});

describe('status', () => {
  test('shows a further account its own counts, and no path or note', async () => {
    const { id, api_key } = await make('/_local/v1/accounts', { name: 'Counted' });
    const project = await make('/_local/v1/projects', { name: 'P' }, api_key);
    await make(`/v2/projects/${project.id}/devices`, { name: 'D', source: 'http' }, api_key);
    const { envelope, text } = await service.request('GET', '/_local/v1/status', { key: api_key });
    expect(envelope.data).toMatchObject({
      account_id: id,
      counts: { accounts: 1, projects: 1, devices: 1 },
      data_directory: null,
      ca_file: null,
      notes: [],
    });
    expect(text).not.toContain(service.directory);
  });

  test('shows the default account all of the installation', async () => {
    const { envelope } = await service.request('GET', '/_local/v1/status');
    const { counts, data_directory } = envelope.data as unknown as {
      counts: { accounts: number };
      data_directory: string;
    };
    expect(counts.accounts).toBeGreaterThan(1);
    expect(service.directories).toContain(data_directory);
  });
});

/** What is known of a key in the model. */
interface Holder {
  readonly api_key: string;
  readonly account: string;
  readonly permissions: readonly Permission[];
  readonly projects: readonly string[] | null;
  /** The year in which it expires; null for never. */
  readonly expires: number | null;
}

const NEVER = Number.POSITIVE_INFINITY;

/** What a holder may make a key of, said anew here from the rules in words. */
function mayIssue(by: Holder, wanted: Omit<Holder, 'api_key'>, administers: boolean): boolean {
  return (
    by.permissions.includes('admin') &&
    by.projects === null &&
    (wanted.account === by.account || administers) &&
    wanted.permissions.every((permission) => by.permissions.includes(permission)) &&
    (wanted.expires ?? NEVER) <= (by.expires ?? NEVER)
  );
}

test('no sequence of calls lets a key do what its permissions do not', async () => {
  const root: Holder = {
    api_key: service.service.api_key,
    account: service.service.account_id,
    permissions: PERMISSIONS,
    projects: null,
    expires: null,
  };
  const step = fc.record({
    by: fc.nat(),
    what: fc.constantFrom('key', 'key', 'key', 'project', 'account'),
    permissions: fc.subarray([...PERMISSIONS], { minLength: 1 }),
    account: fc.option(fc.nat(), { nil: undefined }),
    project: fc.option(fc.nat(), { nil: undefined }),
    expires: fc.option(fc.constantFrom(2090, 2150, 2300, 2400), { nil: null }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const first = await make('/_local/v1/projects', { name: 'First' });
      const accounts = [root.account];
      const projects = [{ id: first.id, account: root.account }];
      const holders = [root];
      const pick = <T>(from: readonly T[], n: number) => from[n % from.length] as T;
      for (const { by: n, what, permissions, account: a, project: p, expires } of steps) {
        const by = pick(holders, n);
        const account = a === undefined ? by.account : pick(accounts, a);
        const administers = by.account === root.account && by.projects === null;
        const isAdmin = by.permissions.includes('admin') && by.projects === null;
        const named = a === undefined ? {} : { account_id: account };
        if (what === 'account') {
          const { status, envelope } = await post('/_local/v1/accounts', { name: 'A' }, by.api_key);
          expect(status, 'account').toBe(isAdmin && administers ? 200 : 403);
          if (status !== 200) continue;
          const { id, api_key } = envelope.data as unknown as Made;
          accounts.push(id);
          holders.push({
            api_key,
            account: id,
            permissions: PERMISSIONS,
            projects: null,
            expires: by.expires,
          });
        } else if (what === 'project') {
          const { status, envelope } = await post('/_local/v1/projects', { name: 'P', ...named }, by.api_key);
          expect(status, 'project').toBe(isAdmin && (account === by.account || administers) ? 200 : 403);
          if (status === 200) projects.push({ id: (envelope.data as unknown as Made).id, account });
        } else {
          const there = projects.filter((one) => one.account === account).map(({ id }) => id);
          const limit = p === undefined || there.length === 0 ? null : [pick(there, p)];
          const wanted = { account, permissions, projects: limit, expires };
          const { status, envelope } = await post(
            '/_local/v1/keys',
            {
              name: 'K',
              permissions,
              project_ids: limit,
              expires_at: expires === null ? null : `${expires}-01-01T00:00:00Z`,
              ...named,
            },
            by.api_key,
          );
          expect(status, JSON.stringify({ by, wanted })).toBe(mayIssue(by, wanted, administers) ? 200 : 403);
          if (status === 200)
            holders.push({ ...wanted, api_key: (envelope.data as unknown as Made).api_key });
        }
      }
      // What each can really do, against what it is said to hold.
      for (const holder of holders) {
        for (const project of projects) {
          const reaches =
            project.account === holder.account && (holder.projects?.includes(project.id) ?? true);
          const path = `/v2/projects/${project.id}`;
          const read = await service.request('GET', path, { key: holder.api_key });
          expect(read.status).toBe(reaches && holder.permissions.includes('read') ? 200 : 403);
          const changed = await service.request('PATCH', `/_local/v1/projects/${project.id}`, {
            key: holder.api_key,
            body: { description: 'x' },
          });
          expect(changed.status).toBe(reaches && holder.permissions.includes('admin') ? 200 : 403);
        }
        const listed = await service.request('GET', '/_local/v1/accounts', { key: holder.api_key });
        const administers = holder.account === root.account && holder.projects === null;
        expect(listed.status).toBe(administers && holder.permissions.includes('admin') ? 200 : 403);
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);

test('an import whose key is revoked while its file comes stores nothing', async () => {
  const project = await make('/_local/v1/projects', { name: 'Rig' });
  const device = await make(`/v2/projects/${project.id}/devices`, { name: 'Rig', source: 'http' });
  const { id, api_key } = await issue({ permissions: ['admin'] });
  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('time,a\n2026-01-01T00:00:00Z,1\n');
    await service.request('DELETE', `/_local/v1/keys/${id}`);
    yield Buffer.from('2026-01-01T00:00:01Z,2\n');
  }
  const path = `/_local/v1/projects/${project.id}/devices/${device.id}`;
  const response = await fetch(`${service.service.http_url ?? service.service.base_url}${path}/records`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'text/csv' },
    body: slowly(),
    duplex: 'half',
  });
  expect(response.status).toBe(401);
  expect((await service.request('GET', `${path}/summary`)).envelope.data).toMatchObject({ records: 0 });
});
