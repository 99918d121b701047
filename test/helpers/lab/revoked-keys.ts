import assert from 'node:assert/strict';
import { dataOf } from '../../contract/world.ts';
import { anyOf } from './lab.ts';
import type { RunningService } from '../service/running-service.ts';

/** Requests with a key or token while it is revoked, and with the same once that was answered. */
const MEANWHILE = 6;
const AFTERWARDS = 20;

interface Revoking {
  readonly services: readonly RunningService[];
  /** How many. */
  readonly keys: number;
  readonly random: () => number;
}

/**
 * Gives devices new tokens while the old ones are in use, each at a random service, and tries these at all of them from its
 * answer on, while other devices store and are made. Rejects where one is still taken; resolves with how many tries there were.
 */
export async function renewTokens({ services, keys, random }: Revoking): Promise<number> {
  const any = () => anyOf(services, random);
  const project = await dataOf(any(), 'POST', '/_local/v1/projects', { name: 'Hall' });
  const path = `/projects/${project.id}/devices`;
  const aDevice = async () => {
    const { id, metadata } = await dataOf(any(), 'POST', `/v2${path}`, { name: 'rig', source: 'http' });
    return { id, token: (metadata as { device_token: string }).device_token };
  };
  const store = async (service: RunningService, key: string) =>
    (await service.request('POST', '/integrations/http', { key, body: { n: 1 } })).status;
  const other = await aDevice();
  const load = { isOver: false };
  const loaded = (async () => {
    for (let n = 0; !load.isOver; n++) {
      if (n % 8 === 0) await aDevice();
      assert.equal(await store(any(), other.token), 200, 'the token of another device is refused');
    }
  })();
  let tries = 0;
  try {
    const { id, token } = await aDevice();
    for (let n = 0, old = token; n < keys; n++) {
      // Whatever a service remembers of it, it remembers now.
      for (const service of services) assert.equal(await store(service, old), 200);
      const meanwhile = Array.from({ length: MEANWHILE }, () => store(any(), old));
      const renewed = await dataOf(any(), 'POST', `/_local/v1${path}/${id}/token`);
      const after = await Promise.all(Array.from({ length: AFTERWARDS }, () => store(any(), old)));
      tries += after.length;
      for (const answered of after) assert.equal(answered, 401, 'a token is taken that was renewed');
      for (const answered of await Promise.all(meanwhile)) assert.ok([200, 401].includes(answered));
      old = String(renewed['device_token']);
    }
  } finally {
    load.isOver = true;
    await loaded;
  }
  return tries;
}

/**
 * Revokes keys that are in use, each at a random service, and tries them at all of them from its answer on. Rejects where one is
 * still taken; resolves with how many tries there were.
 */
export async function revokeKeys({ services, keys, random }: Revoking): Promise<number> {
  const any = () => anyOf(services, random);
  let tries = 0;
  for (let n = 0; n < keys; n++) {
    const made = await dataOf(any(), 'POST', '/_local/v1/keys', { name: `rig ${n}`, permissions: ['read'] });
    const key = String(made['api_key']);
    const tryIt = async () => (await any().request('GET', '/v2/projects', { key })).status;
    // Whatever a service remembers of it, it remembers now.
    for (const service of services)
      assert.equal((await service.request('GET', '/v2/projects', { key })).status, 200);
    const meanwhile = Array.from({ length: MEANWHILE }, tryIt);
    const { status } = await any().request('DELETE', `/_local/v1/keys/${made.id}`);
    assert.equal(status, 200);
    const after = await Promise.all(Array.from({ length: AFTERWARDS }, tryIt));
    tries += after.length;
    for (const answered of after) assert.equal(answered, 401, 'a key is taken that was revoked');
    for (const answered of await Promise.all(meanwhile)) assert.ok([200, 401].includes(answered));
  }
  return tries;
}
