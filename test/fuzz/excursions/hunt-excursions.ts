import { isDeepStrictEqual } from 'node:util';
import { correctedDevice } from '#core/store/blocks/corrections/corrected-device.ts';
import { readReadings } from '#core/store/blocks/reading-reads.ts';
import type { ReadingsAsked, RecordStore, StoredRecord, TakeReadings } from '#core/store/store.ts';
import { surveyExcursions, type ExcursionsQuery, type Surveyed } from '#core/survey/excursions.ts';
import { HeldDevice } from '../../unit/store/postgres/held-device.ts';
import { correctedRecords } from '../../helpers/store/memory-corrections.ts';
import { Random } from '../files/random.ts';
import { recordingOf, type Recording } from './draw.ts';
import { lensOf } from './draw-lens.ts';
import { naiveExcursions } from './naive.ts';

/* Random recordings, read from blocks at hand and from those of a database, as they are and through corrections, against the naive model. */

export interface Hunted {
  readonly recordings: number;
  readonly answers: number;
  readonly readings: number;
  readonly excursions: number;
  readonly gaps: number;
}

const SEED_RANGE = 2 ** 31;
/** Bytes of blocks that a database's reader holds: none, and all. */
const HELD = [0, 1 << 24];

/** Throws with the seed of the first recording that is answered wrongly. */
export async function huntExcursions(seed: number, recordings: number): Promise<Hunted> {
  let [answers, readings, excursions, gaps] = [0, 0, 0, 0];
  for (let i = 0; i < recordings; i++) {
    const own = (seed + i) % SEED_RANGE;
    for (const { query, found, expected } of await answersTo(own)) {
      answers++;
      excursions += expected.excursions.count;
      gaps += expected.gaps.count;
      if (!isDeepStrictEqual(found, expected) || !addsUp(found, query))
        throw new Error(`Seed ${own} of recordings:\n${JSON.stringify({ query, found, expected }, null, 1)}`);
    }
    const { segments, tail } = recordingOf(own);
    readings += [...segments.flat(), ...tail].length;
  }
  return { recordings, answers, readings, excursions, gaps };
}

interface Answer {
  readonly query: ExcursionsQuery;
  readonly found: Surveyed;
  readonly expected: Surveyed;
}

async function answersTo(seed: number): Promise<Answer[]> {
  const { segments, tail, blockRows, queries } = recordingOf(seed);
  const held = new HeldDevice(segments, tail, { blockRows });
  const stores = [
    storeOf((asked) => readReadings(held.whole, asked)),
    ...HELD.map((bytes) => {
      const reads = held.reads(bytes);
      return storeOf((asked) => reads.readings('d', asked));
    }),
  ];
  const answers: Answer[] = [];
  for (const query of queries) {
    const expected = naiveExcursions(readingsOf([...segments.flat(), ...tail], query.key), query);
    for (const store of stores)
      answers.push({ query, expected, found: await surveyExcursions(store, 'd', query) });
  }
  return [...answers, ...(await correctedAnswers(seed, held))];
}

/** The same recording through corrections. */
async function correctedAnswers(seed: number, own: HeldDevice): Promise<Answer[]> {
  const recording = recordingOf(seed);
  const before = recordingOf(seed ^ 1);
  const former = new HeldDevice(before.segments, before.tail, { blockRows: before.blockRows });
  const stored = inOrder(recording);
  const lens = lensOf(
    new Random(seed),
    stored.map(({ timestamp }) => timestamp),
    'former',
  );
  const device = correctedDevice(
    lens,
    own.whole,
    lens.formers.map(() => former.whole),
  );
  const reads = own.reads(1 << 24);
  const stores = [
    storeOf((asked) => readReadings(device, asked)),
    // One database has one device here.
    ...(lens.formers.length === 0 ? [storeOf((asked) => reads.readings({ device: 'd', lens }, asked))] : []),
  ];
  const records = correctedRecords(
    lens,
    stored,
    lens.formers.map(() => inOrder(before)),
  );
  const answers: Answer[] = [];
  for (const query of recording.queries) {
    const expected = naiveExcursions(readingsOf(records, query.key), query);
    // The second time pauses are known that blocks were read for.
    for (const store of [...stores, ...stores])
      answers.push({ query, expected, found: await surveyExcursions(store, 'd', query) });
  }
  return answers;
}

const storeOf = (
  read: <T extends TakeReadings>(asked: ReadingsAsked<T>) => Promise<T>,
): Pick<RecordStore, 'readings'> => ({ readings: (_, asked) => read(asked) });

/** The records as they stand in the raw view. */
const inOrder = ({ segments, tail }: Recording) =>
  [...segments.flat(), ...tail].toSorted((a, b) => a.timestamp - b.timestamp);

/** Of equal times the earlier arrival first. */
function readingsOf(arrived: readonly StoredRecord[], key: string) {
  const sorted = arrived.toSorted((a, b) => a.timestamp - b.timestamp);
  return sorted.flatMap(({ timestamp, keys, values }) => {
    const value = values[keys.indexOf(key)];
    return typeof value === 'number' ? [{ time: timestamp, value }] : [];
  });
}

const addsUp = ({ inside, outside, notMeasured }: Surveyed, { range }: ExcursionsQuery) =>
  inside + outside + notMeasured === range.end - range.start;
