import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import type { Harness } from './harness.ts';
import { answers, operations, perform, questions } from './model-operations.ts';
import { someRuns } from '../../helpers/some-runs.ts';

const RUNS = someRuns(100);

export function modelTests(harness: Harness, durable: boolean): void {
  describe('model', () => {
    test('answers as the naive model does, after any sequence of operations', async () => {
      const sequence = fc.array(fc.tuple(operations, questions), { minLength: 1, maxLength: 14 });
      await fc.assert(
        fc
          .asyncProperty(sequence, async (steps) => {
            const model = createMemoryRecordStore();
            for (const [operation, question] of steps) {
              if (operation.kind !== 'reopen')
                expect(await perform(harness.store, operation)).toEqual(await perform(model, operation));
              else if (durable) await harness.reopen();
              expect(await answers(harness.store, question)).toEqual(await answers(model, question));
            }
            expect(harness.store.recovery).toEqual([]);
          })
          .afterEach(async () => {
            await harness.store.drop('d');
            await harness.store.drop('e');
          }),
        { numRuns: RUNS },
      );
    });
  });
}
