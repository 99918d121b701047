import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { KeyLimitReached } from '#core/store/store-errors.ts';
import { createMemoryRecordStore } from '../../../helpers/store/memory-record-store.ts';
import { clients, doorOf, mergesAtOnce } from '../../../helpers/lab/merges-at-once.ts';
import { hasPostgres, type Postgres } from '../../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../../helpers/postgres/shared-postgres.ts';
import { answers, operations, perform, questions } from '../../../suites/record-store/model-operations.ts';
import { counting, pageOfN, record } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

const STORES = 3;
const RUNS = someRuns(60);

type Open = Awaited<ReturnType<typeof openRecords>>;

/** Several processes share what they store: here as several stores, each with connections and memory of its own. */
describe.skipIf(!hasPostgres)('three stores over one database', () => {
  let server: Postgres;
  let url: string;
  let open: Open[] = [];
  const of = (index: number) => {
    const one = open[index % STORES];
    if (!one) throw new Error('no such store');
    return one.store;
  };
  beforeAll(async () => {
    server = await sharedPostgres();
    url = await server.database();
    const limits = [{}, { tailRows: 4, segmentRows: 64, knownBytes: 1, blockBytes: 1 }, { tailRows: 16 }];
    // One of them stores as over several nodes.
    open = await Promise.all(
      limits.map((each, i) => openRecords(url, each, {}, i === 2 ? { isSpread: true } : {})),
    );
  });
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()));
  });

  test('answer as one naive model does, whichever does what', async () => {
    const step = fc.tuple(operations, questions, fc.nat({ max: 2 }), fc.nat({ max: 2 }));
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
          const model = createMemoryRecordStore();
          for (const [operation, question, doer, reader] of steps) {
            if (operation.kind !== 'reopen')
              expect(await perform(of(doer), operation)).toEqual(await perform(model, operation));
            expect(await answers(of(reader), question)).toEqual(await answers(model, question));
          }
        })
        .afterEach(async () => {
          await of(0).drop('d');
          await of(1).drop('e');
        }),
      { numRuns: RUNS },
    );
  });

  test('show what any of them acknowledged at once, and keep the limit of keys and receipts together', async () => {
    await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        await of(i).append('busy', [record(i)]);
        expect(await of(i + 1).count('busy', { start: i, end: i })).toBe(1);
      }),
    );
    expect((await pageOfN(of(2), 'busy')).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 300 }, (_, i) => i),
    );
    const sent = Array.from({ length: 30 }, (_, i) => of(i).append('busy', [record(1000)], { receipt: 'r' }));
    const ends = await Promise.all(sent);
    expect(ends.filter((end) => end === 'stored')).toHaveLength(1);
    const keys = Array.from({ length: 4094 }, (_, i) => `k${i}`);
    await of(0).append('wide', [{ timestamp: 1, received: 1, keys, values: keys.map(() => 1) }]);
    const more = Array.from({ length: 9 }, (_, i) => of(i).append('wide', [record(i, { [`new${i}`]: 1 })]));
    const ended = await Promise.allSettled(more);
    const refused = ended.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
    expect(refused).toEqual(refused.map(() => expect.any(KeyLimitReached)));
    expect(refused).toHaveLength(7);
    expect(await of(1).keys('wide')).toHaveLength(4096);
  });

  test('store on a device whose keys another one counts anew before each of its records', async () => {
    await of(0).append('counted', [record(0)]);
    const [first, second] = open;
    const change = first?.database.change.bind(first.database);
    const counted = `WITH gone AS (DELETE FROM device_key WHERE device_id = 'counted')
      UPDATE device_head SET key_epoch = key_epoch + 1 WHERE device_id = 'counted'`;
    const spy = first && vi.spyOn(first.database, 'change');
    spy?.mockImplementation(async (work, options) => {
      const result = await change?.(work, options);
      await second?.database.ask(counted);
      return result;
    });
    await of(0)
      .append('counted', [record(1, { other: 1 })])
      .finally(() => spy?.mockRestore());
    expect(await pageOfN(of(2), 'counted')).toHaveLength(2);
  });

  test('keep the union of what is merged into one device through all of them at once', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(clients, (acts) => {
        const device = `m${run++}`;
        return mergesAtOnce(
          open.map((one) => doorOf(one.store, device)),
          acts,
        );
      }),
      { numRuns: RUNS },
    );
  });

  test('refuse what comes for a device that one of them retired', async () => {
    await of(0).append('old', counting(0, 3));
    const batch = await of(1).batch('old');
    await batch.add(counting(10, 2000));
    await of(2).retire('old');
    await expect(of(0).append('old', [record(9)])).rejects.toMatchObject({ code: 'retired' });
    await expect(batch.commit()).rejects.toMatchObject({ code: 'retired' });
    await batch.abort();
    expect(await of(1).count('old')).toBe(3);
    await of(2).drop('old');
    await expect(of(1).append('old', [record(9)])).rejects.toMatchObject({ code: 'retired' });
    expect(await of(0).devices()).not.toContain('old');
    await of(1).revive('old');
    await of(0).append('old', [record(9)]);
    expect(await pageOfN(of(2), 'old')).toEqual([9]);
  });
});
