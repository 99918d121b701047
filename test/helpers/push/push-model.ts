import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME, type Micros } from '#shared/values/time.ts';
import type { PushPlan, Pushed } from '#shared/operations/records/push.ts';
import { SyncBaseline } from '#core/push/sync-baseline.ts';
import { LabLost } from '#core/push/lab.ts';
import { planPush } from '#core/push/plan.ts';
import { runPush } from '#core/push/run.ts';
import type { OwnProject } from '#core/push/sides.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { contentOf } from '#core/sync/content.ts';
import { ALL, digestsOf } from '#core/sync/survey-records.ts';
import { FairSemaphore } from '#core/turns/semaphore.ts';
import { scanned } from '../../suites/record-store/harness.ts';
import { fieldsOf, storeLab, type StoreLab } from '../lab/store-lab.ts';

/* Two sides with histories of their own, pushes between them that are cut anywhere, and what has to hold of the lab. */

const PROJECT = '7d5f2c9a-0000-4000-8000-000000000001';
export const DEVICE = '7d5f2c9a-0000-4000-8000-000000000002';

export interface Sides {
  readonly here: RecordStore;
  readonly there: RecordStore;
  readonly lab: StoreLab;
  plan(removed?: 'leave-out' | 'send'): Promise<PushPlan>;
  run(plan: PushPlan): Promise<Pushed>;
}

export async function sidesOf(
  here: RecordStore,
  there: RecordStore,
  hasDevice = true,
  some: Partial<OwnProject['rows']> = {},
): Promise<Sides> {
  const lab = storeLab(there, { project_id: PROJECT, device_id: DEVICE, hasDevice });
  const baseline = await SyncBaseline.open(linesInMemory());
  const made = { created: 1, sequence: 1 };
  const project = { id: PROJECT, account_id: 'a', name: 'P', description: '', ...made };
  const rest = { source: 'http', avatar: null, token_hash: 'ab'.repeat(32) } as const;
  const device = { ...fieldsOf('D'), ...rest, id: DEVICE, project_id: PROJECT, ...made };
  const rows = { functions: [], key_settings: [], notes: [], widgets: [], alarms: [], ...some };
  const own = [{ project, devices: [device], corrections: new Map(), rows }];
  const common = {
    records: here,
    semaphore: new FairSemaphore(2).of(null),
    signal: new AbortController().signal,
    lab,
    own,
    baseline,
  };
  return {
    here,
    there,
    lab,
    plan: (removed = 'leave-out') =>
      planPush({
        ...common,
        to: 'https://lab',
        installation_id: 'laptop',
        at: LATEST,
        removed,
        conflicts: 'lab',
        into: {},
        progress: () => undefined,
      }),
    run: (plan) => runPush({ ...common, plan, now: LATEST, progress: () => undefined }),
  };
}

/** A journal that is gone with the test. */
export function linesInMemory(): Parameters<typeof SyncBaseline.open>[0] {
  let lines: string[] = [];
  return {
    isBegun: true,
    read: async () => ({ lines, rest: 'nothing' }),
    append: async (line) => void lines.push(line),
    replace: async (all) => void (lines = [...all]),
    close: async () => undefined,
  };
}

/** Nothing is received later. */
export const LATEST: Micros = 4_102_444_800_000_000;

/** How often each content is there. */
export async function contents(store: RecordStore): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const record of await scanned(store, DEVICE)) {
    const content = contentOf(record);
    counts.set(content, (counts.get(content) ?? 0) + 1);
  }
  return counts;
}

export async function digestOf(store: RecordStore) {
  const { first, last } = await store.within(DEVICE, {});
  if (first === null || last === null) return { records: 0, digest: '' };
  const of = { records: store, device: DEVICE, semaphore: new FairSemaphore(2).of(null), signal: undefined };
  const { parts } = await digestsOf({ start: first, end: last }, 1, ALL, of);
  return { records: parts[0]?.records ?? 0, digest: parts[0]?.digest ?? '' };
}

const instant = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(FIRST_RECORD_TIME, LAST_RECORD_TIME, 1_772_483_421_202_946) },
);
const value = fc.constantFrom<(number | string | boolean)[]>(
  0,
  -0,
  1,
  1.5,
  '1',
  '',
  true,
  '\ud800',
  'ä"\n',
  2 ** 53,
);
const key = fc.constantFrom('a', 'b', '__proto__', '10', 'ä', '"', '\\');
const record: fc.Arbitrary<StoredRecord> = fc
  .tuple(instant, fc.integer({ min: 0, max: 100 }), fc.uniqueArray(key, { minLength: 1, maxLength: 3 }))
  .chain(([timestamp, received, keys]) =>
    fc
      .array(value, { minLength: keys.length, maxLength: keys.length })
      .map((values) => ({ timestamp, received, keys, values })),
  );
const records = fc.array(record, { minLength: 1, maxLength: 12 });
const removal = fc.record({
  start: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
  end: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
  at: fc.integer({ min: 0, max: 100 }),
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('here'), records }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('there'), records }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('both'), records }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove-here'), removal }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove-there'), removal }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('push'),
      removed: fc.constantFrom('leave-out', 'send'),
      cuts: fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.boolean()), { maxLength: 3 }),
    }),
  },
);
export const histories = fc.tuple(fc.boolean(), fc.array(step, { minLength: 1, maxLength: 10 }));

/** Whatever happened, a push leaves the union there: as many of each record as the side that has more, and nothing twice. */
export async function holds(
  { here, there }: Pick<Sides, 'here' | 'there'>,
  [hasDevice, steps]: readonly [boolean, readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]],
): Promise<void> {
  const sides = await sidesOf(here, there, hasDevice);
  for (const act of steps) {
    if (act.kind !== 'here' && act.kind !== 'remove-here' && act.kind !== 'push') sides.lab.meetDevice();
    switch (act.kind) {
      case 'here':
        await here.append(DEVICE, act.records);
        break;
      case 'there':
        await there.append(DEVICE, act.records);
        break;
      case 'both':
        await here.append(DEVICE, act.records);
        await there.append(
          DEVICE,
          act.records.map((each) => ({ ...each, received: each.received + 1 })),
        );
        break;
      case 'remove-here':
      case 'remove-there': {
        const { start, end } = act.removal;
        const range = { ...(start !== null && { start }), ...(end !== null && { end }) };
        await (act.kind === 'remove-here' ? here : there).deleteRange(DEVICE, range);
        if (act.kind === 'remove-there') sides.lab.removals.push(act.removal);
        break;
      }
      case 'push':
        await pushed(sides, act.removed, act.cuts);
        break;
    }
  }
}

async function pushed(
  sides: Sides,
  removed: 'leave-out' | 'send',
  cuts: readonly (readonly [number, boolean])[],
): Promise<void> {
  const { here, there, lab } = sides;
  const before = await contents(there);
  const wasHere = await contents(here);
  const expected = new Map(before);
  for (const [content, count] of await counting(sides, removed))
    expected.set(content, Math.max(count, before.get(content) ?? 0));
  for (const [requests, answerIsLost] of cuts) {
    lab.cutAfter(requests, answerIsLost);
    try {
      await sides.run(await sides.plan(removed));
    } catch (error) {
      if (!(error instanceof LabLost)) throw error;
    }
    // What is there is never more than it will be, wherever it was cut.
    for (const [content, count] of await contents(there))
      assert.ok(count <= (expected.get(content) ?? 0), content);
  }
  lab.cutAfter(Infinity, false);
  const plan = await sides.plan(removed);
  const there_before = [...(await contents(there)).values()].reduce((sum, count) => sum + count, 0);
  const done = await sides.run(plan);
  assert.deepEqual(
    done.devices.map(({ problem }) => problem),
    [null],
  );
  assert.equal(done.sent, plan.send);
  assert.deepEqual(await contents(there), expected);
  assert.equal(await there.count(DEVICE), there_before + plan.send);
  assert.deepEqual(await contents(here), wasHere);
  const again = await sides.plan(removed);
  assert.equal(again.send, 0);
  assert.equal(again.devices[0]?.present, again.devices[0]?.records);
}

/** What of this side counts. */
async function counting({ here, lab }: Sides, removed: 'leave-out' | 'send'): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const one of await scanned(here, DEVICE)) {
    const isOut =
      removed === 'leave-out' &&
      lab.removals.some(
        ({ start, end, at }) =>
          one.received <= at && one.timestamp >= (start ?? -Infinity) && one.timestamp <= (end ?? Infinity),
      );
    if (!isOut) counts.set(contentOf(one), (counts.get(contentOf(one)) ?? 0) + 1);
  }
  return counts;
}
