import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CuttingProxy } from '../../../helpers/service/cutting-proxy.ts';
import { createMemoryRecordStore } from '../../../helpers/store/memory-record-store.ts';
import { hasPostgres, type Postgres } from '../../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../../helpers/postgres/shared-postgres.ts';
import { answers, operations, perform, questions } from '../../../suites/record-store/model-operations.ts';
import { generator } from '../../../faults/random-crashes.ts';
import { openRecords } from './open-records.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

const RUNS = someRuns(48);
/** As of a network with other things to do; on this machine an answer takes a fifth of one. */
const LATE_MS = 5;

/** Each answer comes when it likes: what overlaps elsewhere overlaps in another way here. */
describe.skipIf(!hasPostgres)('two stores over one database, on slow wires', () => {
  let server: Postgres;
  let proxy: CuttingProxy;
  let url: string;
  beforeAll(async () => {
    server = await sharedPostgres();
    const random = generator(3);
    proxy = new CuttingProxy(
      server.port,
      () => 'pass',
      () => random() * LATE_MS,
    );
    const port = await proxy.listen();
    url = (await server.database()).replace(String(server.port), String(port));
  });
  afterAll(async () => {
    await proxy.close();
  });

  test('answer as one naive model does, while both store, seal and merge', async () => {
    const limits = { tailRows: 4, segmentRows: 64, knownBytes: 1, blockBytes: 1 };
    const opened = await Promise.all([openRecords(url, limits), openRecords(url, limits)]);
    const [first, second] = [opened[0].store, opened[1].store];
    const step = fc.tuple(operations, questions);
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
          const model = createMemoryRecordStore();
          for (const [operation, question] of steps) {
            if (operation.kind !== 'reopen')
              expect(await perform(first, operation)).toEqual(await perform(model, operation));
            const expected = await answers(model, question);
            const both = await Promise.all([first, second].map((store) => answers(store, question)));
            expect(both).toEqual([expected, expected]);
          }
        })
        .afterEach(async () => {
          await first.drop('d');
          await second.drop('e');
        }),
      { numRuns: RUNS },
    );
    await Promise.all(opened.map((one) => one.close()));
  });
});
