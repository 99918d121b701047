import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { TimeRange } from '#shared/values/time.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { contentOf } from '#core/sync/content.ts';
import type { SentRecord } from '#core/sync/lines.ts';
import { mergeRecords } from '#core/sync/merge.ts';
import { record, scanned } from '../../suites/record-store/harness.ts';

/* Many that hand the same records over to one device, all at once, while it stores and is emptied: what has to hold of it. */

/** Records that everybody hands over: three at each time. */
const CONTENTS = 36;
const RECEIVED = 5;
const LATER = 1_000_000_000;

const chunk = fc.record({
  kind: fc.constant('merge'),
  from: fc.nat({ max: CONTENTS - 1 }),
  length: fc.integer({ min: 1, max: CONTENTS }),
  times: fc.integer({ min: 1, max: 3 }),
});
const act = fc.oneof(
  { weight: 8, arbitrary: chunk },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('append'), length: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('purge') }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete'), start: fc.nat({ max: CONTENTS / 3 }) }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
type Chunk = typeof chunk extends fc.Arbitrary<infer T> ? T : never;

/** What each of several clients does, one after the other. */
export const clients = fc.array(fc.array(act, { minLength: 1, maxLength: 5 }), {
  minLength: 2,
  maxLength: 5,
});

const one = (n: number): StoredRecord => ({ ...record(Math.floor(n / 3), { n }), received: RECEIVED });

function sentOf({ from, length, times }: Chunk): SentRecord[] {
  const numbers = Array.from({ length: Math.min(length, CONTENTS - from) }, (_, i) => from + i);
  return numbers.flatMap((n) =>
    Array.from({ length: times }, (_, occurrence) => ({ record: one(n), occurrence })),
  );
}

/** A way to the records of one device. */
export interface Door {
  /** Without `isAll` what was purged stays out. */
  merge(sent: readonly SentRecord[], isAll: boolean): Promise<unknown>;
  append(records: readonly StoredRecord[]): Promise<unknown>;
  /** At a time after RECEIVED. */
  purge(): Promise<unknown>;
  deleteRange(range: TimeRange): Promise<unknown>;
  all(): Promise<readonly StoredRecord[]>;
}

export function doorOf(records: RecordStore, device: string): Door {
  return {
    merge(sent, isAll) {
      const removals = async () => {
        const { purgedAt } = await records.summary(device);
        return isAll || purgedAt === null ? [] : [{ start: null, end: null, at: purgedAt }];
      };
      return mergeRecords({ records, device, sent, removals, signal: undefined });
    },
    append: (some) => records.append(device, some),
    purge: () => records.purge(device, RECEIVED + 1),
    deleteRange: (range) => records.deleteRange(device, range),
    all: () => scanned(records, device),
  };
}

/**
 * Runs all clients at once, each act by the next of the doors, which lead to one device; then hands everything over once
 * more. Rejects where a record is there more often than anybody handed it over, where one is back that was there
 * before a purge, or where one is lost.
 */
export async function mergesAtOnce(doors: readonly Door[], acts: readonly (readonly Act[])[]): Promise<void> {
  let turn = 0;
  const next = () => doors[turn++ % doors.length]!;
  const appended: { readonly content: string; readonly began: number }[] = [];
  let ticks = 0;
  let emptied = -1;
  const perform = async (each: Act) => {
    switch (each.kind) {
      case 'merge':
        await next().merge(sentOf(each), false);
        break;
      case 'append': {
        const number = ticks++;
        const some = Array.from({ length: each.length }, (_, i) => ({
          ...record(number, { a: `${number}-${i}` }),
          received: LATER,
        }));
        await next().append(some);
        for (const stored of some) appended.push({ content: contentOf(stored), began: number });
        break;
      }
      case 'purge':
        await next().purge();
        emptied = ticks++;
        break;
      case 'delete':
        await next().deleteRange({ start: each.start, end: each.start + 2 });
        emptied = ticks++;
        break;
    }
  };
  await Promise.all(
    acts.map(async (own) => {
      for (const each of own) await perform(each);
    }),
  );
  const all = acts.flat();
  const has = (kind: Act['kind']) => all.some((each) => each.kind === kind);
  const most = new Map<string, number>();
  for (const each of all)
    if (each.kind === 'merge')
      for (const { record: sent, occurrence } of sentOf(each))
        most.set(contentOf(sent), Math.max(most.get(contentOf(sent)) ?? 0, occurrence + 1));
  const check = async (wants: (count: number, wanted: number) => boolean) => {
    const counts = new Map<string, number>();
    for (const each of await next().all())
      counts.set(contentOf(each), (counts.get(contentOf(each)) ?? 0) + 1);
    for (const [content, wanted] of most) {
      const count = counts.get(content) ?? 0;
      assert.ok(wants(count, wanted), `${content} is there ${count} times, of ${wanted}`);
      counts.delete(content);
    }
    for (const { content, began } of appended) {
      const count = counts.get(content) ?? 0;
      assert.ok(count === 1 || (count === 0 && began < emptied), `${content} is there ${count} times`);
      counts.delete(content);
    }
    assert.deepEqual([...counts], []);
  };
  // What was purged had been received before: it stays out, whether it came before or after.
  if (has('purge')) await check((count) => count === 0);
  else if (has('delete')) await check((count, wanted) => count <= wanted);
  else await check((count, wanted) => count === wanted);
  const again = all.flatMap((each) => (each.kind === 'merge' ? [sentOf(each)] : []));
  await Promise.all(again.map((sent) => next().merge(sent, true)));
  await check((count, wanted) => count === wanted);
}
