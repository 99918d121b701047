import { openLog } from '../../electron/core/store/log/log.ts';
import { surveyExcursions } from '../../electron/core/survey/excursions.ts';
import { answerMessages } from '../lib/child.ts';
import { FIRST_TIME } from '../lib/data.ts';
import { lensOf } from '../lib/lens.ts';
import { eachTimed, percentile, timed } from '../lib/measure.ts';

/** A store of so many records of a sensor, a record a second. */
export interface ExcursionsMessage {
  readonly directory: string;
  readonly device: string;
  readonly records: number;
  /** The part of them that the peer has, in µs. */
  readonly part: { readonly start: number; readonly end: number };
  /** A longer silence is not measured, in µs. */
  readonly pause: number;
  readonly rounds: number;
}

/** Limits that are crossed again and again, and what they come to in the peer's part. */
export interface ExcursionsMeasured {
  readonly low: number;
  readonly high: number;
  /** A figure a round, in ms: of a store that has just been opened, and asked again. */
  readonly first: number[];
  readonly again: number[];
  /** The same through corrections, entered just now and asked again, in ms. */
  readonly corrected: number[];
  readonly correctedAgain: number[];
  /** Of the peer's part, in ms. */
  readonly part: number[];
  readonly outside: number;
  readonly excursions: number;
}

const SECOND = 1_000_000;
/** How much of all between the least and the greatest value is normal. */
const NORMAL = [0.2, 0.8] as const;

answerMessages(async ({ directory, device, records, part, pause, rounds }: ExcursionsMessage) => {
  const key = 'temperature';
  const range = { start: FIRST_TIME, end: FIRST_TIME + records * SECOND };
  const found = await openLog({ directory });
  const { keys } = await found.series(device, { range: part, keys: [key], width: 1 });
  const [least = 0, greatest = 0] = [keys[0]?.min[0], keys[0]?.max[0]];
  await found.close();
  const [low, high] = NORMAL.map((share) => Math.round((least + (greatest - least) * share) * 100) / 100);
  const query = { key, range, normal: { low: low!, high: high! }, pause, most: 10_000, width: null };
  const result = {
    low: low!,
    high: high!,
    first: [] as number[],
    again: [] as number[],
    corrected: [] as number[],
    correctedAgain: [] as number[],
    part: [] as number[],
  };
  let told = { outside: 0, excursions: 0 };
  for (let round = 0; round < rounds; round++) {
    const store = await openLog({ directory });
    result.first.push(await timed(() => surveyExcursions(store, device, query)));
    const again = await eachTimed(10, 1, () => surveyExcursions(store, device, query));
    result.again.push(percentile(again, 0.5) / 1000);
    const viewed = { device, lens: lensOf(range.end) };
    result.corrected.push(await timed(() => surveyExcursions(store, viewed, query)));
    const corrected = await eachTimed(10, 1, () => surveyExcursions(store, viewed, query));
    result.correctedAgain.push(percentile(corrected, 0.5) / 1000);
    const ofPart = { ...query, range: part };
    const times = await eachTimed(10, 1, () => surveyExcursions(store, device, ofPart));
    result.part.push(percentile(times, 0.5) / 1000);
    const { outside, excursions } = await surveyExcursions(store, device, ofPart);
    told = { outside, excursions: excursions.count };
    await store.close();
  }
  return { ...result, ...told } satisfies ExcursionsMeasured;
});
