import assert from 'node:assert/strict';
import { dataOf } from '../../contract/world.ts';
import { anyOf } from './lab.ts';
import type { RunningService } from '../service/running-service.ts';

/** Requests with a key while it is revoked, and with the same once that was answered. */
const MEANWHILE = 6;
const AFTERWARDS = 20;

/**
 * Revokes keys that are in use, each at a random service, and tries them at all of them from its answer on. Rejects where one is
 * still taken; resolves with how many tries there were.
 */
export async function revokeKeys({
  services,
  keys,
  random,
}: {
  readonly services: readonly RunningService[];
  readonly keys: number;
  readonly random: () => number;
}): Promise<number> {
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
