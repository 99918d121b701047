import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SecretsNow, SelfTest } from '#shared/operations/service/secrets.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { memoryKeychain, openWith } from '../../helpers/store/vaults.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* The vault while the service runs (docs/running.md, "Where secrets are kept"). */

let keychain: ReturnType<typeof memoryKeychain>;
let service: RunningService;
let world: World;

const run = (directory?: string) =>
  runService({ vault: 'auto', ...(directory !== undefined && { directory }) }, { open: openWith(keychain) });

beforeEach(async () => {
  keychain = memoryKeychain();
  service = await run();
  world = await createWorld(service);
});
afterEach(() => service.stop());

const path = '/_local/v1/secrets';
const now = async () => (await dataOf(service, 'GET', path)) as unknown as SecretsNow;
const post = (what: string, body: unknown = {}) => service.request('POST', `${path}/${what}`, { body });
const tokenShown = async () => {
  const device = await dataOf(service, 'GET', `/v2/projects/${world.project_id}/devices/${world.device_id}`);
  return (device['device_credentials'] as { device_token: string }).device_token;
};
const vaultFiles = async () =>
  (await readdir(service.directory)).filter((name) => /^vault[.-](?!kind)/.test(name));

test('secrets move from the keychain to files and back, and keys and tokens are the same after a restart', async () => {
  expect(await now()).toMatchObject({ kind: 'keychain', fixed: null, opened_by: null });
  expect(await tokenShown()).toBe(world.device_token);
  const own = service.service.api_key;

  const moved = await post('move', { to: 'file' });
  expect(moved.envelope.data).toMatchObject({ left: null });
  expect(await now()).toMatchObject({ kind: 'file', opened_by: 'key-file' });
  expect([...keychain.entries.keys()].filter((name) => !name.includes('check'))).toEqual([]);
  expect(await tokenShown()).toBe(world.device_token);

  await service.service.close();
  service = await run(service.directory);
  expect(service.service.api_key).toBe(own);
  expect(await now()).toMatchObject({
    kind: 'file',
    reason: expect.stringContaining('already keeps') as string,
  });
  expect(await tokenShown()).toBe(world.device_token);
  expect((await service.request('GET', '/_local/v1/status')).envelope.data).toMatchObject({ vault: 'file' });

  expect((await post('move', { to: 'keychain' })).status).toBe(200);
  expect(await vaultFiles()).toEqual([]);
  expect(await tokenShown()).toBe(world.device_token);
  const { status } = await service.request('POST', '/integrations/http', {
    key: world.device_token,
    body: RECORDS,
  });
  expect(status).toBe(200);
  // Of a deleted device, too, which may come back.
  await dataOf(service, 'POST', `/_local/v1/undo/${world.undo_id}`, {});
  const devices = (await dataOf(service, 'GET', `/v2/projects/${world.project_id}/devices`)) as unknown as {
    name: string;
    id: string;
  }[];
  const back = devices.find(({ name }) => name === 'Gone');
  const shown = await dataOf(service, 'GET', `/v2/projects/${world.project_id}/devices/${back?.id}`);
  expect((shown['device_credentials'] as { device_token: string }).device_token).toMatch(/^[0-9A-Za-z]{40}$/);
});

test('a rotation seals everything anew, and what is a key stays one; a keychain has nothing to rotate', async () => {
  const refused = await post('rotate');
  expect([refused.status, refused.envelope.message]).toEqual([
    400,
    'The system protects its keychain by keys of its own: change the password that opens it there.',
  ]);
  await post('move', { to: 'file' });
  const before = await vaultFiles();
  expect((await post('rotate')).envelope.data).toEqual({ rotated: true });
  const after = await vaultFiles();
  expect(after).toHaveLength(before.length);
  expect(after).not.toEqual(before);
  await service.service.close();
  service = await run(service.directory);
  expect(await tokenShown()).toBe(world.device_token);
});

test('a self-test says what went well, and what failed and what to do', async () => {
  const tested = async () => (await post('test')).envelope.data as unknown as SelfTest;
  const well = await tested();
  expect(well.is_well).toBe(true);
  expect(well.steps.map(({ step, problem }) => [step, problem])).toEqual([
    ['write', null],
    ['read', null],
    ['delete', null],
    ['gone', null],
  ]);
  const get = keychain.get.bind(keychain);
  keychain.get = () => Promise.resolve('something else');
  const ill = await tested();
  keychain.get = get;
  expect(ill.is_well).toBe(false);
  expect(ill.steps[1]).toMatchObject({
    step: 'read',
    problem: expect.stringContaining('move the secrets') as string,
  });
});

// The secrets of a database are not moved.
test.runIf(inFolder)(
  'a move that fails changes nothing, and one that the start forbids is refused',
  async () => {
    await post('move', { to: 'file' });
    const set = keychain.set.bind(keychain);
    keychain.set = () => Promise.reject(new Error('the keychain refuses'));
    expect((await post('move', { to: 'keychain' })).status).toBe(500);
    keychain.set = set;
    expect(await now()).toMatchObject({ kind: 'file' });
    expect(await tokenShown()).toBe(world.device_token);
    expect((await post('move', { to: 'file' })).status).toBe(400);
    expect((await post('move', { to: 'memory' })).envelope.message).toContain('must be "keychain" or "file"');

    const told = await runService({ vault: 'file' });
    const { envelope } = await told.request('POST', `${path}/move`, { body: { to: 'keychain' } });
    expect(envelope.message).toContain('--vault file says at the start');
    await told.stop();
  },
);

/** What a window reads of the token each time that it hears of the device, and a keychain that takes nothing until it is unlocked. */
function slowly() {
  const set = keychain.set.bind(keychain);
  const unlocked = Promise.withResolvers<void>();
  keychain.set = async (...secret) => {
    await unlocked.promise;
    await set(...secret);
  };
  const window = openWindow(service.service);
  const shown: string[] = [];
  window.bridge.subscribe('devices.changed', () => void tokenShown().then((token) => shown.push(token)));
  return { shown, unlock: () => unlocked.resolve(), close: () => window.close() };
}

const renew = async () => {
  const device = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
  return (await dataOf(service, 'POST', `${device}/token`))['device_token'];
};

test('windows hear of a renewed token once it can be read, too, however slow the keychain is', async () => {
  const { shown, unlock, close } = slowly();
  const renewed = renew();
  // The old token is void already, and the new one is not kept yet.
  await expect.poll(() => shown.at(-1)).toBe('');
  unlock();
  const token = await renewed;
  await expect.poll(() => shown.at(-1)).toBe(token);
  close();
});

// A lab has no snapshots.
test.runIf(inFolder)('so they do of one that a snapshot brings back', async () => {
  await renew();
  const { shown, unlock, close } = slowly();
  const restoring = dataOf(service, 'POST', `/_local/v1/snapshots/${world.snapshot}/restore`, {});
  await expect.poll(() => shown).toContain('');
  unlock();
  await restoring;
  await expect.poll(() => shown.at(-1)).toBe(world.device_token);
  close();
});
