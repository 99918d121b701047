import { isDeepStrictEqual } from 'node:util';
import { byCodeUnits } from '#core/store/blocks/block/row-slice.ts';
import type { StoredRecord, Viewed } from '#core/store/store.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { HeldDevice } from '../../unit/store/postgres/held-device.ts';
import { CASES_OF_ONE, casesOf, recordingOf, type Case, type Recording } from './draw.ts';
import { QUESTIONS } from './questions.ts';
import { readerOfBlocks, readerOfRecords, type Reader } from './readers.ts';

/* Random corrections, read from blocks at hand and from those of a database, against the naive model. */

export interface Hunted {
  readonly cases: number;
  readonly answers: number;
  readonly corrections: number;
  /** Records that the corrected views show, in all. */
  readonly records: number;
}

const SEED_RANGE = 2 ** 31;

/** Throws with the seed of the first recording that is answered wrongly, and with the least of it that still is. */
export async function huntCorrections(seed: number, cases: number): Promise<Hunted> {
  const hunted = { cases: 0, answers: 0, corrections: 0, records: 0 };
  for (let n = 0; hunted.cases < cases; n++) {
    const own = (seed + n) % SEED_RANGE;
    const recording = recordingOf(own);
    const readers = new Readers(recording);
    for (const asked of casesOf(own, recording).slice(0, cases - hunted.cases)) {
      const { difference, records } = await readers.compare(asked);
      if (difference !== null) throw new Error(await told(own, recording, asked));
      hunted.cases++;
      hunted.answers += 2 * Object.keys(QUESTIONS).length;
      hunted.corrections += asked.lens.corrections.length;
      hunted.records += records;
    }
  }
  return hunted;
}

/** A recording as it is stored, and what reads it. */
class Readers {
  readonly #recording: Recording;
  readonly #devices: ReadonlyMap<string, HeldDevice>;
  readonly #blocks: Reader;

  constructor(recording: Recording) {
    this.#recording = recording;
    const { devices, blockRows } = recording;
    this.#devices = new Map(
      Object.entries(devices).map(([id, { segments, tail }]) => [
        id,
        new HeldDevice(segments, tail, { blockRows, id }),
      ]),
    );
    this.#blocks = readerOfBlocks(this.#devices);
  }

  /** Returns what the first question is that one of the readers answers otherwise than the model. */
  async compare(asked: Case): Promise<{ readonly difference: string | null; readonly records: number }> {
    const of: Viewed = { device: 'd', lens: asked.lens };
    const { reader, records } = await modelOf(this.#recording, of);
    const database = readerOfRecords(HeldDevice.reads([...this.#devices.values()], asked.kept));
    for (const [name, ask] of Object.entries(QUESTIONS)) {
      const expected = await ask(reader, 'd', asked);
      for (const [where, read] of Object.entries({ blocks: this.#blocks, database })) {
        const found = await ask(read, of, asked);
        if (!isDeepStrictEqual(found, expected))
          return { difference: text({ name, where, found, expected }), records };
      }
    }
    return { difference: null, records };
  }
}

/** What the model makes of all records of a view, as those of a device: so that it maps, sorts and filters them once. */
async function modelOf({ devices }: Recording, of: Viewed) {
  const stored = createMemoryRecordStore();
  for (const [id, { segments, tail }] of Object.entries(devices))
    await stored.append(id, [...segments.flat(), ...tail]);
  const seen: StoredRecord[] = [];
  for await (const some of stored.scan(of)) seen.push(...some);
  const flat = createMemoryRecordStore();
  await flat.append('d', seen.map(inOrder));
  // Derived keys are counted about, from those that are stored.
  const records = { ...flat, summary: () => stored.summary(of) };
  return { reader: readerOfRecords(records), records: seen.length };
}

/** Its keys in order, as blocks have them. */
function inOrder({ keys, values, ...record }: StoredRecord): StoredRecord {
  const cells = keys.map((key, i) => [key, values[i]!] as const).toSorted(([a], [b]) => byCodeUnits(a, b));
  return { ...record, keys: cells.map(([key]) => key), values: cells.map(([, value]) => value) };
}

/** What went wrong, with as few corrections and records as it still does. */
async function told(seed: number, recording: Recording, asked: Case): Promise<string> {
  let [smallest, least] = [recording, asked];
  const differs = async (some: Recording, question: Case) =>
    (await new Readers(some).compare(question)).difference !== null;
  for (let changed = true; changed;) {
    changed = false;
    for (const lens of smallerLenses(least.lens))
      if (await differs(smallest, { ...least, lens })) {
        least = { ...least, lens };
        changed = true;
        break;
      }
    for (const some of smallerRecordings(smallest))
      if (await differs(some, least)) {
        smallest = some;
        changed = true;
        break;
      }
  }
  const { difference } = await new Readers(smallest).compare(least);
  return [
    `Seed ${seed} of recordings, again with npm run corrections -- --seed ${seed} --cases ${CASES_OF_ONE}:`,
    text({ devices: smallest.devices, blockRows: smallest.blockRows, ...least }),
    String(difference),
  ].join('\n');
}

const without = <T>(list: readonly T[], i: number): T[] => list.toSpliced(i, 1);

function* smallerLenses(lens: Case['lens']): Generator<Case['lens']> {
  for (const i of lens.corrections.keys()) yield { ...lens, corrections: without(lens.corrections, i) };
  for (const [i, former] of lens.formers.entries()) {
    yield { ...lens, formers: without(lens.formers, i) };
    if (former.lens === null) continue;
    yield { ...lens, formers: lens.formers.with(i, { ...former, lens: null }) };
    for (const smaller of smallerLenses(former.lens))
      yield { ...lens, formers: lens.formers.with(i, { ...former, lens: smaller }) };
  }
}

function* smallerRecordings(recording: Recording): Generator<Recording> {
  for (const id of ['d', 'e'] as const) {
    const { segments, tail } = recording.devices[id];
    const having = (now: Recording['devices']['d']): Recording => ({
      ...recording,
      devices: { ...recording.devices, [id]: now },
    });
    for (const i of segments.keys()) yield having({ segments: without(segments, i), tail });
    if (tail.length > 1) yield having({ segments, tail: [] });
    for (const i of tail.keys()) yield having({ segments, tail: without(tail, i) });
    for (const [i, records] of segments.entries())
      if (records.length > 1)
        for (const k of records.keys())
          yield having({ segments: segments.with(i, without(records, k)), tail });
  }
}

const text = (value: unknown) =>
  JSON.stringify(
    value,
    (_, each: unknown) => (ArrayBuffer.isView(each) ? Array.from(each as Float64Array, String) : each),
    1,
  );
