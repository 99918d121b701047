import { MOST_FIRINGS, type Firing } from '#core/rules/firing.ts';
import { RuleWatch } from '#core/rules/rule-watch.ts';
import type { RecordStore, StoredRecord, Viewed } from '#core/store/store.ts';
import { FairSemaphore } from '#core/turns/semaphore.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { drawStream, type Act, type Device, type Step, type Stream } from './draw-stream.ts';
import { naiveFirings } from './naive.ts';

/* Random rules on random streams: after each step what a watch says is what the naive model makes of all that is stored. */

export interface Hunted {
  readonly streams: number;
  readonly looks: number;
  /** Looks during which records came or went. */
  readonly disturbed: number;
  readonly firings: number;
}

/** Where streams are stored beside the model. */
export interface Stage {
  readonly store: RecordStore;
  /** Ids of the two devices of the next stream. */
  devices(): Readonly<Record<Device, string>>;
  /** Called behind each stream. */
  after(): Promise<void>;
}

const SEED_RANGE = 2 ** 31;

/** Throws with the seed of the first stream that is judged wrongly, and with the least of it that still is. */
export async function huntRules(seed: number, streams: number, stage: Stage | null): Promise<Hunted> {
  const hunted = { streams: 0, looks: 0, disturbed: 0, firings: 0 };
  for (; hunted.streams < streams; hunted.streams++) {
    const own = (seed + hunted.streams) % SEED_RANGE;
    const stream = drawStream(own);
    const { wrong, looks, disturbed, firings } = await run(stream, stage);
    if (wrong !== null) throw new Error(await told(own, stream, stage));
    hunted.looks += looks;
    hunted.disturbed += disturbed;
    hunted.firings += firings;
  }
  return hunted;
}

interface Ran {
  readonly wrong: object | null;
  readonly looks: number;
  readonly disturbed: number;
  readonly firings: number;
}

async function run(stream: Stream, stage: Stage | null): Promise<Ran> {
  const model = createMemoryRecordStore();
  const ids = stage?.devices() ?? { d: 'd', e: 'e' };
  const lenses = stream.lenses.map((lens) => ({
    ...lens,
    formers: lens.formers.map((former) => ({ ...former, device: ids.e })),
  }));
  const store = stage?.store ?? model;
  const stores = stage === null ? [model] : [model, stage.store];
  const ranges = new Map(Object.entries(stream.ranges));
  const disturbance = new Disturbance(store);
  const reads = {
    records: disturbance.records,
    semaphore: new FairSemaphore(1).of(null),
    limits: stream.limits,
  };
  const fresh = () => new RuleWatch(stream.rule, ranges, reads);
  let watch = fresh();
  let [looks, disturbed, firings] = [0, 0, 0];
  try {
    for (const [place, step] of stream.steps.entries()) {
      const lens = step.lens === null ? undefined : lenses[step.lens];
      const device: Viewed = lens === undefined ? ids.d : { device: ids.d, lens };
      const act = async () => {
        for (const each of step.acts) for (const one of stores) await perform(one, each, ids);
      };
      const expected = async () => ofMoment(await arrivedOf(model, device), step, stream, ranges);
      if (step.isRestart) watch = fresh();
      const before = step.at === null ? null : await expected();
      if (step.at === null) await act();
      else disturbance.plan(step.at, act);
      const found = await watch.look(device, step.now, { after: step.after });
      const late = await disturbance.finish();
      if (step.at !== null && !late) disturbed++;
      const right = await expected();
      looks++;
      firings += found.firings.length;
      const isRight = (of: typeof right) => areSame(found.firings, of.firings) && of.isNext(found.next);
      if (isRight(right) || (before !== null && isRight(before))) continue;
      const wrong = { place, found, right: right.firings, before: before?.firings };
      return { wrong, looks, disturbed, firings };
    }
    return { wrong: null, looks, disturbed, firings };
  } finally {
    await stage?.after();
  }
}

/** What is right at a moment; time alone changes nothing before `next`. */
function ofMoment(
  arrived: readonly StoredRecord[],
  { now, after }: Step,
  { rule }: Stream,
  ranges: Parameters<typeof naiveFirings>[2],
) {
  const at = (moment: number) => naiveFirings(arrived, rule, ranges, moment);
  const all = at(now);
  const isNext = (next: number | null) => {
    if (next !== null && next <= now) return false;
    return areSame(at(next === null ? 8e15 : next - 1), all);
  };
  const firings: Firing[] = all.filter(({ end }) => end === null || end >= after).slice(-MOST_FIRINGS);
  return { firings, isNext };
}

/** A corrected clock may say -0. */
const areSame = (a: readonly Firing[], b: readonly Firing[]) => JSON.stringify(a) === JSON.stringify(b);

async function arrivedOf(model: RecordStore, device: Viewed): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for await (const some of model.scan(device)) all.push(...some);
  return all;
}

async function perform(store: RecordStore, act: Act, ids: Readonly<Record<Device, string>>): Promise<void> {
  switch (act.do) {
    case 'append':
      await store.append(ids[act.device], act.records);
      return;
    case 'import': {
      const batch = await store.batch(ids[act.device]);
      await batch.add(act.records);
      await batch.commit();
      return;
    }
    case 'delete':
      await store.deleteRange(ids.d, act.range);
      return;
    case 'keep':
      await store.keep(ids.d, act.name, act.range === null ? { at: 1 } : { range: act.range });
      return;
    case 'restore':
      await store.restore(ids.d, act.name);
      return;
    case 'replace': {
      const batch = await store.batch(ids.d);
      await batch.add(act.records);
      const revision = await store.revision(ids.d);
      const expected = await store.count(ids.d, act.range);
      await batch.replace({ name: act.name, range: act.range, revision, expected });
    }
  }
}

/** Does something before a call of a store that a look makes. */
class Disturbance {
  readonly records: RecordStore;
  #left = 0;
  #act: (() => Promise<void>) | null = null;

  constructor(store: RecordStore) {
    const before = (): Promise<void> => (this.#left-- === 0 ? this.#now() : Promise.resolve());
    this.records = {
      ...store,
      threadWork: null,
      revision: (device) => before().then(() => store.revision(device)),
      within: (device, range) => before().then(() => store.within(device, range)),
      columns: (device, query) => before().then(() => store.columns(device, query)),
      readings: (device, asked) => before().then(() => store.readings(device, asked)),
      async *scan(device, range) {
        await before();
        yield* store.scan(device, range);
      },
    };
  }

  plan(at: number, act: () => Promise<void>): void {
    this.#left = at;
    this.#act = act;
  }

  /** Does it where the look made fewer calls; resolves with whether it had to. */
  async finish(): Promise<boolean> {
    if (this.#act === null) return false;
    await this.#now();
    return true;
  }

  async #now(): Promise<void> {
    const act = this.#act;
    this.#act = null;
    await act?.();
  }
}

/** What went wrong, with as few steps as it still does. */
async function told(seed: number, stream: Stream, stage: Stage | null): Promise<string> {
  let least = stream;
  const isWrong = async (steps: readonly Step[]) => (await run({ ...least, steps }, stage)).wrong !== null;
  for (let changed = true; changed;) {
    changed = false;
    for (const steps of smaller(least.steps))
      if (await isWrong(steps)) {
        least = { ...least, steps };
        changed = true;
        break;
      }
  }
  const { wrong } = await run(least, stage);
  return [
    `Seed ${seed}, again with npm run rules -- --seed ${seed} --streams 1:`,
    JSON.stringify(least, null, 1),
    JSON.stringify(wrong, null, 1),
  ].join('\n');
}

function* smaller(steps: readonly Step[]): Generator<Step[]> {
  for (const i of steps.keys()) yield steps.toSpliced(i, 1);
  for (const [i, step] of steps.entries())
    for (const [k, act] of step.acts.entries()) {
      yield steps.with(i, { ...step, acts: step.acts.toSpliced(k, 1) });
      if (!('records' in act) || act.records.length < 2) continue;
      for (const n of act.records.keys())
        yield steps.with(i, {
          ...step,
          acts: step.acts.with(k, { ...act, records: act.records.toSpliced(n, 1) }),
        });
    }
}
