import { openLog } from '../../electron/core/store/log/log.ts';
import { RATES, type RatesQuery } from '../../electron/core/survey/rates.ts';
import { surveyDevice } from '../../electron/core/survey/survey-device.ts';
import { createThreads } from '../../electron/core/threads/threads.ts';
import { FairSemaphore } from '../../electron/core/turns/semaphore.ts';
import { answerMessages } from '../lib/child.ts';
import { FIRST_TIME } from '../lib/data.ts';
import { percentile, timed } from '../lib/measure.ts';
import { builtWorker } from '../lib/built.ts';

/** A store of so many records of a sensor, a record a second. */
export interface RatesMessage {
  readonly directory: string;
  readonly device: string;
  readonly records: number;
  /** The first records, which the peer has. */
  readonly part: number;
  readonly rounds: number;
}

/** Figures in ms. */
export interface RatesMeasured {
  readonly whole: number[];
  readonly part: number[];
  /** Of the part: differences, the smallest, the greatest. */
  readonly told: readonly [count: number, least: number, greatest: number];
}

const SECOND = 1_000_000;
const WIDTH = 1200;
/** Questions of which a round's figure is the median. */
const EACH = 3;

answerMessages(async ({ directory, device, records, part, rounds }: RatesMessage) => {
  const threads = createThreads({ script: builtWorker() });
  const store = await openLog({ directory, threads });
  const semaphore = new FairSemaphore(1).of(null);
  const of = (count: number) => {
    const query: RatesQuery = {
      range: { start: FIRST_TIME, end: FIRST_TIME + count * SECOND - 1 },
      keys: ['temperature'],
      width: WIDTH,
      rates: [{ per: 'min', falls: 'fall' }],
      before: [null],
      pauses: [null],
    };
    return surveyDevice(RATES, query, { records: store, device, semaphore, signal: undefined });
  };
  const medianOf = async (count: number) => {
    const times: number[] = [];
    for (let n = 0; n < EACH; n++) times.push(await timed(() => of(count)));
    return percentile(times, 0.5);
  };
  const [told] = await of(part);
  if (!told) throw new Error('No differences were found.');
  const found = (values: Float64Array) => values.filter((value) => !Number.isNaN(value));
  const whole: number[] = [];
  const ofPart: number[] = [];
  for (let round = 0; round < rounds; round++) {
    whole.push(await medianOf(records));
    ofPart.push(await medianOf(part));
  }
  await store.close();
  await threads.close();
  return {
    whole,
    part: ofPart,
    told: [
      told.counts.reduce((sum, count) => sum + count, 0),
      found(told.min).reduce((a, b) => Math.min(a, b)),
      found(told.max).reduce((a, b) => Math.max(a, b)),
    ],
  } satisfies RatesMeasured;
});
