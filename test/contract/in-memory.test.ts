import { afterEach, expect, test } from 'vitest';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import type { Storage } from '#shared/operations/service/storage.ts';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS } from './world.ts';

/* A service that has memory in the place of its data directory (docs/rigs.md, "In memory"). */

const MB = 1 << 20;
let service: RunningService;
afterEach(() => service.stop());

const storage = async () => (await dataOf(service, 'GET', '/_local/v1/storage')) as unknown as Storage;

/** Texts that no codec makes shorter. */
function noise(records: number): string {
  let state = 88_172_645;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return String.fromCodePoint(33 + ((state >>> 8) % 90));
  };
  const text = () => Array.from({ length: 1000 }, next).join('').replaceAll(/["\\]/g, '!');
  return Array.from({ length: records }, (_, n) => `{"n":${n},"text":"${text()}"}`).join('\n');
}

test.runIf(inFolder)('says what it is, and how much memory is left', async () => {
  service = await runService({ memoryBytes: 64 * MB });
  const world = await createWorld(service);
  expect((await dataOf(service, 'GET', '/_local/v1/status')) as unknown as ServiceStatus).toMatchObject({
    in_memory: true,
    data_directory: null,
    vault: 'memory',
  });
  const before = await storage();
  expect(before.disk.total).toBe(64 * MB);
  expect(before.disk.free).toBeGreaterThan(48 * MB);
  expect(before.can_back_up).toBe(true);
  // Of others it says no more than that.
  const { envelope } = await service.request('GET', '/_local/v1/status', { key: world.strangers_key });
  expect(envelope.data).toMatchObject({ in_memory: true, data_directory: null });
});

test.runIf(inFolder)(
  'refuses what it has no room for, as a full disk does, keeps what it has, and goes on once there is room',
  async () => {
    service = await runService({ memoryBytes: 40 * MB });
    const world = await createWorld(service);
    const device = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
    const store = (text: string) =>
      service.request('POST', '/integrations/http', {
        key: world.device_token,
        raw: { type: 'application/x-ndjson', bytes: text },
      });
    const text = noise(1000);
    let stored = 0;
    let refused = await store(text);
    for (; refused.status === 200 && stored < 100; stored++) refused = await store(text);
    expect(refused.status).toBe(500);
    expect(refused.envelope.message).toMatch(
      /^The memory for files is full: (storing|moving) records .*failed\. Nothing stored before is lost\. Free some space and try again\. \(error /,
    );
    expect(stored).toBeGreaterThan(3);
    expect(stored).toBeLessThan(60);
    const all = stored * 1000 + RECORDS.length;
    expect(await dataOf(service, 'GET', `${device}/summary`)).toMatchObject({ records: all });

    // A delete for good has room of its own.
    await dataOf(service, 'DELETE', `/v2/projects/${world.project_id}/devices/${world.device_id}/data`);
    await expect.poll(async () => (await store('{"n":1}')).status).toBe(200);
    await expect.poll(async () => (await storage()).disk.free).toBeGreaterThan(8 * MB);
    expect((await store(text)).status).toBe(200);
  },
);
