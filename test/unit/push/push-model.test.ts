import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import { generator } from '../../faults/random-crashes.ts';
import { withSeed } from '../../helpers/chance.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { closing, cutPushes } from '../../helpers/push/push-cuts.ts';
import { contents, DEVICE, histories, holds, LATEST, sidesOf } from '../../helpers/push/push-model.ts';
import { counting, record, scanned } from '../../suites/record-store/harness.ts';
import { someRuns } from '../../helpers/some-runs.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-push-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('whatever both sides did and wherever pushes were cut, the lab ends with the union and nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(histories, (history) =>
      holds({ here: createMemoryRecordStore(), there: createMemoryRecordStore() }, history),
    ),
    { numRuns: someRuns(300) },
  );
});

test('the same over two logs', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const place = (name: string) => openLog({ directory: join(directory, `${name}-${run}`) });
      run++;
      await using here = await closing(place('here'));
      await using there = await closing(place('there'));
      await holds({ here: here.store, there: there.store }, history);
    }),
    { numRuns: someRuns(20) },
  );
});

test('ten cuts at random places, then digests are equal and nothing is there twice', async () => {
  const { records } = await withSeed((seed) =>
    cutPushes({ directory, cuts: 10, records: 20_000, random: generator(seed) }),
  );
  expect(records).toBe(20_000);
});

test('records keep their times of receipt, and those that the lab has at a time stay before them', async () => {
  const here = createMemoryRecordStore();
  const there = createMemoryRecordStore();
  const sides = await sidesOf(here, there);
  await there.append(DEVICE, [record(5, { n: 1 })]);
  await here.append(DEVICE, [{ ...record(5, { n: 2 }), received: 77 }]);
  const plan = await sides.plan();
  expect(plan.devices[0]).toMatchObject({
    send: 1,
    conflicting: 1,
    first_conflict: '1970-01-01T00:00:00.000005Z',
  });
  await sides.run(plan);
  expect((await scanned(there, DEVICE)).map(({ values, received }) => [values[0], received])).toEqual([
    [1, 1_000_005],
    [2, 77],
  ]);
});

test('a push is exactly its plan: what came later waits, and what went here stops the device', async () => {
  const here = createMemoryRecordStore();
  const there = createMemoryRecordStore();
  const sides = await sidesOf(here, there);
  await here.append(DEVICE, counting(0, 100));
  const plan = await sides.plan();
  await here.append(DEVICE, [{ ...record(3), received: LATEST + 1 }]);
  await sides.run(plan);
  expect(await there.count(DEVICE)).toBe(100);
  const second = await sides.plan();
  await here.append(DEVICE, counting(200, 1));
  const refused = await sides.run({
    ...second,
    devices: second.devices.map((each) => ({ ...each, send: 1 })),
  });
  expect(refused.devices[0]?.problem).toBe('It has changed here since the plan was made. Plan again.');
  expect(await there.count(DEVICE)).toBe(100);
});

test('what was received by a clock that was ahead goes along, and what comes within a day of the plan waits', async () => {
  const here = createMemoryRecordStore();
  const there = createMemoryRecordStore();
  const sides = await sidesOf(here, there);
  const year = 365 * 86_400e6;
  await here.append(DEVICE, [{ ...record(7), received: LATEST + year }, record(8)]);
  const plan = await sides.plan();
  expect(plan.send).toBe(2);
  await here.append(DEVICE, [{ ...record(9), received: LATEST + 3600e6 }]);
  expect((await sides.run(plan)).devices[0]).toMatchObject({ sent: 2, problem: null });
});

test('a refusal stops the device, with the reason of the lab', async () => {
  const here = createMemoryRecordStore();
  const there = createMemoryRecordStore();
  const sides = await sidesOf(here, there);
  await here.append(DEVICE, counting(0, 100));
  sides.lab.refuse(403);
  const done = await sides.run(await sides.plan());
  expect(done.devices[0]).toMatchObject({ sent: 0, problem: 'The lab does not want it.' });
  expect((await contents(there)).size).toBe(0);
});

test('of very many records at one instant those go that the lab lacks', async () => {
  await using here = await closing(openLog({ directory: join(directory, 'here') }));
  await using there = await closing(openLog({ directory: join(directory, 'there') }));
  const sides = await sidesOf(here.store, there.store);
  const same = Array.from({ length: 67_000 }, (_, n) => ({ ...record(1, { n }), received: 1 }));
  await here.store.append(DEVICE, same);
  await there.store.append(DEVICE, same.slice(0, 66_000));
  expect(await sides.plan()).toMatchObject({ send: 1000, devices: [{ present: 66_000, conflicting: 1000 }] });
});
