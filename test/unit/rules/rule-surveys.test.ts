import { expect, test, vi } from 'vitest';
import { RuleWatch } from '#core/rules/rule-watch.ts';
import type { StoredRecord } from '#core/store/store.ts';
import type { When } from '#shared/domain/rules.ts';
import { naiveFirings } from '../../fuzz/rules/naive.ts';
import { generator } from '../../faults/random-crashes.ts';
import { withSeed } from '../../helpers/chance.ts';
import { record } from '../../suites/record-store/harness.ts';
import { surveyOptions, surveyStores } from '../survey/survey-stores.ts';

/* Conditions that read all values of a key, or all records, over many records: in another thread where the store has one. */

const stores = surveyStores();
const S = 1_000_000;
const DOORS = ['open', 'shut', true, 7] as const;
/** Leaves go through so few records together, and so few of their edges wait for the others. */
const LIMITS = { scanned: 16, edges: 7 };

const WHENS: readonly When[] = [
  { key: 'door', is: ['open', true] },
  { silent_s: 4 },
  { silent_s: 6, key: 'rare' },
  {
    all: [
      { key: 'door', is: 'shut' },
      { any: [{ silent_s: 3 }, { key: 'n', above: 600, hysteresis: 20 }, { silent_s: 9, key: 'rare' }] },
    ],
  },
];

function drawn(random: () => number, count: number, from: number): StoredRecord[] {
  let time = from;
  return Array.from({ length: count }, (_, i) => {
    time += Math.floor(random() ** 6 * 12) * S;
    const door = DOORS[Math.floor(random() ** 2 * DOORS.length)]!;
    return record(time, { n: (i * 7919) % 1009, door, ...(random() < 0.05 && { rare: i }) });
  });
}

test('they come to what the naive model says, by threads as in this one, from the beginning and from where they were', () =>
  withSeed(async (seed) => {
    const random = generator(seed);
    const run = vi.spyOn(stores.threads, 'run');
    const uploads = [drawn(random, 900, 0), drawn(random, 500, 600 * S), drawn(random, 40, 150 * S)];
    const watches = stores.all.map((store) =>
      WHENS.map(
        (when) =>
          new RuleWatch({ when, for_s: 1 }, new Map(), {
            records: store,
            semaphore: surveyOptions(store).semaphore,
            limits: LIMITS,
          }),
      ),
    );
    const arrived: StoredRecord[] = [];
    for (const upload of uploads) {
      arrived.push(...upload);
      const now = Math.max(...arrived.map(({ timestamp }) => timestamp)) + 5 * S;
      const right = WHENS.map((when) =>
        naiveFirings(arrived, { when, for_s: 1 }, new Map(), now).slice(-500),
      );
      for (const [place, store] of stores.all.entries()) {
        await store.append('d', upload);
        for (const [rule, watch] of watches[place]!.entries())
          expect((await watch.look('d', now)).firings).toEqual(right[rule]);
      }
      expect(right.every((firings) => firings.length > 0)).toBe(true);
    }
    const kinds = new Set(run.mock.calls.map(([kind]) => kind.name));
    expect([kinds.has('rule-values'), kinds.has('rule-records')]).toEqual([true, true]);
  }));
