import { afterEach, describe, expect, test } from 'vitest';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';
import { clearFaults, countsOf, faultsNow, setFaults } from './faulty.ts';

/* docs/rigs.md, "Faults": a disk that is full, slow, or does not confirm what was written. */

let service: RunningService;
let world: World;

async function start(directory?: string): Promise<void> {
  service = await runService({ ...(directory !== undefined && { directory }) }, { isAlone: true });
}
async function startNew(): Promise<void> {
  await start();
  world = await createWorld(service);
}
afterEach(() => service.stop());

const store = (n: number, headers: Record<string, string> = {}) =>
  service.request('POST', '/integrations/http', { key: world.device_token, body: { n }, headers });
const device = () => `/v2/projects/${world.project_id}/devices/${world.device_id}`;
const stored = async () =>
  (
    (await dataOf(service, 'GET', `${device()}/data?page=1&limit=1000&range=all`)) as unknown as {
      n?: number;
    }[]
  )
    .flatMap(({ n }) => n ?? [])
    .toReversed();

describe.runIf(inFolder)('full', () => {
  test('records and changes are refused as by a full disk, reads go on, and all is well behind it', async () => {
    await startNew();
    await store(1);
    await setFaults(service, [{ name: 'no room', do: { disk: 'full' } }]);
    const { status, envelope } = await store(2);
    expect([status, envelope.message]).toEqual([
      500,
      expect.stringMatching(/^The disk is full: .* failed\. Nothing stored before is lost\./),
    ]);
    const made = await service.request('POST', '/_local/v1/projects', { body: { name: 'New' } });
    expect([made.status, made.envelope.message]).toEqual([500, expect.stringContaining('The disk is full')]);
    expect(await stored()).toEqual([1]);
    const [counts] = countsOf(await clearFaults(service));
    expect(counts![1]).toBe(counts![0]);
    expect(counts![1]).toBeGreaterThan(0);
    expect((await store(3)).status).toBe(200);
    expect((await service.request('POST', '/_local/v1/projects', { body: { name: 'New' } })).status).toBe(
      200,
    );
    expect(await stored()).toEqual([1, 3]);
    await service.service.close();
    await start(service.directory);
    expect(await stored()).toEqual([1, 3]);
  });

  test('during a request that the match names, and not for others', async () => {
    await startNew();
    await setFaults(service, [{ match: { operation: 'ingest', after: 1, first: 2 }, do: { disk: 'full' } }]);
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await store(n)).status);
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
    expect((await service.request('POST', '/_local/v1/projects', { body: { name: 'New' } })).status).toBe(
      200,
    );
    expect(countsOf(await faultsNow(service))).toEqual([[5, 2]]);
    expect(await stored()).toEqual([0, 3, 4]);
  });
});

describe.runIf(inFolder)('sync-fails', () => {
  test('nothing more is stored until a restart, which has all that was acknowledged', async () => {
    await startNew();
    const { directory } = service;
    await store(1);
    await setFaults(service, [{ do: { disk: 'sync-fails' } }]);
    const { status, envelope } = await store(2);
    expect([status, envelope.message]).toEqual([
      500,
      expect.stringContaining('The disk did not confirm what was written'),
    ]);
    await clearFaults(service);
    // What a disk did not confirm cannot be made good by asking again.
    expect((await store(3)).status).toBe(500);
    expect(await stored()).toEqual(expect.arrayContaining([1]));
    await service.service.close();
    await start(directory);
    expect((await store(4)).status).toBe(200);
    const there = await stored();
    expect([there[0], there.at(-1)]).toEqual([1, 4]);
    expect(there).not.toContain(3);
  });
});

describe.runIf(inFolder)('slow', () => {
  test('takes longer, and stores the same', async () => {
    await startNew();
    await setFaults(service, [{ do: { disk: 'slow' } }]);
    const began = performance.now();
    expect((await store(1)).status).toBe(200);
    // At least one sync, of 250 ms.
    expect(performance.now() - began).toBeGreaterThan(200);
    await clearFaults(service);
    expect(await stored()).toEqual([1]);
    expect(
      (await service.request('POST', '/integrations/http', { key: world.device_token, body: RECORDS }))
        .status,
    ).toBe(200);
  });
});

test.runIf(!inFolder)('a service over a database refuses it in words', async () => {
  await startNew();
  const { status, envelope } = await service.request('PUT', '/_local/v1/faults', {
    body: { rules: [{ do: { disk: 'full' } }] },
  });
  expect([status, envelope.message]).toEqual([
    400,
    'rules.0.do.disk is for a service with files of its own; this one keeps its data in a database, got "full"',
  ]);
});
