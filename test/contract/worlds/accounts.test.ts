import { afterEach, beforeEach, expect, test } from 'vitest';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* docs/rigs.md, "Worlds": accounts that are made, emptied and removed, beside others that hear nothing of it. */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService({ vault: 'memory' });
  world = await createWorld(service);
});
afterEach(() => service.stop());

interface Made {
  readonly id: string;
  readonly api_key: string;
}

/** An account with all there can be in one. */
async function makeWorld(name: string): Promise<{ readonly account: Made; readonly own: World }> {
  const account = (await dataOf(service, 'POST', '/_local/v1/accounts', { name })) as unknown as Made;
  return { account, own: await fill(account.api_key) };
}

/** Fills an account by its key; what only administrators may make is left out. */
async function fill(key: string): Promise<World> {
  const asking = {
    request: ((method, path, options = {}) =>
      path === '/_local/v1/accounts'
        ? service.request(method, path, options)
        : service.request(method, path, { key, ...options })) as RunningService['request'],
  };
  return createWorld(asking);
}

const status = async (path: string, key: string) => (await service.request('GET', path, { key })).status;
const all = async (key?: string) => {
  const read = async (path: string) => (await service.request('GET', path, { ...(key && { key }) })).text;
  return Promise.all(['/v2/projects', '/_local/v1/undo', '/_local/v1/views'].map((path) => read(path)));
};

test('an account goes for good with everything in it, and the others stay as they are', async () => {
  const { account, own } = await makeWorld('Suite 1');
  const other = await makeWorld('Suite 2');
  const before = [await all(), await all(other.account.api_key)];
  const deleted = await dataOf(service, 'DELETE', `/_local/v1/accounts/${account.id}`);
  expect(deleted).toEqual({ id: account.id, deleted: { projects: 2, devices: 1, records: 3 } });

  const requests = await service.request('GET', '/_local/v1/requests');
  expect(requests.text).not.toContain(own.device_id);
  expect(await status('/v2/projects', account.api_key)).toBe(401);
  const sent = await service.request('POST', '/integrations/http', { key: own.device_token, body: RECORDS });
  expect(sent.status).toBe(401);
  expect(
    (await service.request('GET', `/v2/projects/${own.project_id}/devices/${own.device_id}`)).status,
  ).toBe(404);
  const accounts = await service.request('GET', '/_local/v1/accounts');
  expect(accounts.text).not.toContain(account.id);
  const storage = await service.request('GET', '/_local/v1/storage');
  expect(storage.text).not.toContain(own.project_id);
  expect([await all(), await all(other.account.api_key)]).toEqual(before);

  const again = await service.request('DELETE', `/_local/v1/accounts/${account.id}`);
  expect([again.status, again.envelope.message]).toEqual([404, 'Account not found.']);
});

test('the default account stays, and says how it is emptied', async () => {
  const refused = await service.request('DELETE', `/_local/v1/accounts/${service.service.account_id}`);
  expect([refused.status, refused.envelope.message]).toEqual([
    403,
    'The default account stays: its keys administer the installation. Reset it to empty it.',
  ]);
  expect((await service.request('GET', '/v2/projects')).text).toContain(world.project_id);
});

test('a reset leaves the keys of a world and nothing else, and the world goes on', async () => {
  const { account, own } = await makeWorld('Suite');
  const key = account.api_key;
  const keyIds = async () => {
    const { envelope } = await service.request('GET', '/_local/v1/keys', { key });
    return (envelope.data as unknown as { id: string }[]).map(({ id }) => id);
  };
  const keys = await keyIds();
  const before = await all();
  const reset = () => service.request('POST', '/_local/v1/reset', { key, body: { to: 'empty' } });
  expect((await reset()).envelope.data).toEqual({ projects: 2, devices: 1, records: 3 });
  for (const path of ['/v2/projects', '/_local/v1/undo', '/_local/v1/views'])
    expect((await service.request('GET', path, { key })).envelope.data).toEqual([]);
  expect(await keyIds()).toEqual(keys);
  expect(await all()).toEqual(before);
  const sent = await service.request('POST', '/integrations/http', { key: own.device_token, body: RECORDS });
  expect(sent.status).toBe(401);

  expect((await reset()).envelope.data).toEqual({ projects: 0, devices: 0, records: 0 });
  const next = await fill(key);
  const data = `/v2/projects/${next.project_id}/devices/${next.device_id}/data?page=1&limit=10&range=all`;
  expect((await service.request('GET', data, { key })).headers.get('x-total-count')).toBe('3');
});

test('an administrator resets any world, others their own alone', async () => {
  const { account } = await makeWorld('Suite');
  const body = { to: 'empty', account_id: account.id };
  const stranger = await service.request('POST', '/_local/v1/reset', { key: world.strangers_key, body });
  expect(stranger.status).toBe(403);
  expect((await service.request('POST', '/_local/v1/reset', { body })).envelope.data).toEqual({
    projects: 2,
    devices: 1,
    records: 3,
  });
  const unknown = await service.request('POST', '/_local/v1/reset', {
    body: { to: 'empty', account_id: 'none' },
  });
  expect([unknown.status, unknown.envelope.message]).toEqual([404, 'Account not found.']);
  const wrong = await service.request('POST', '/_local/v1/reset', { body: { to: 'nothing' } });
  expect(wrong.envelope.message).toBe('to must be "empty" or "seed", got "nothing"');
  const seedless = await service.request('POST', '/_local/v1/reset', { body: { to: 'seed' } });
  expect([seedless.status, seedless.envelope.message]).toEqual([
    400,
    'to must be "empty": this service was started without --seed-file',
  ]);
  expect((await service.request('GET', '/v2/projects')).text).toContain(world.project_id);
});

test.runIf(inFolder)('what was removed stays so over a restart, on the disk, too', async () => {
  const { account, own } = await makeWorld('Suite');
  await dataOf(service, 'DELETE', `/_local/v1/accounts/${account.id}`);
  await service.service.close();
  service = await runService({ vault: 'memory', directory: service.directory });
  expect((await service.request('GET', '/_local/v1/accounts')).text).not.toContain(account.id);
  expect(await status('/v2/projects', account.api_key)).toBe(401);
  const { envelope } = await service.request('GET', '/_local/v1/status');
  expect(JSON.stringify(envelope.data)).not.toContain(own.device_id);
});
