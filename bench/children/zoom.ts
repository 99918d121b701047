import { openLog } from '../../electron/core/store/log/log.ts';
import { answerMessages } from '../lib/child.ts';
import { FIRST_TIME, uniform } from '../lib/data.ts';
import { eachTimed, percentile } from '../lib/measure.ts';

/** A store of so many records of a sensor, a record a second. */
export interface ZoomMessage {
  readonly directory: string;
  readonly device: string;
  readonly records: number;
  readonly rounds: number;
}

/** A figure a round, in ms. */
export interface Zoomed {
  /** Of windows of every width, anywhere. */
  readonly p99: number[];
  /** Median of the picture of everything. */
  readonly whole: number[];
}

const WIDTH = 1200;
const WINDOWS = 400;
const SECOND = 1_000_000;

answerMessages(async ({ directory, device, records, rounds }: ZoomMessage) => {
  const store = await openLog({ directory });
  const end = FIRST_TIME + records * SECOND;
  const random = uniform(3);
  // Widths from all of it down to a thousandth.
  const windows = Array.from({ length: WINDOWS }, () => {
    const span = Math.floor((end - FIRST_TIME) * 1000 ** -random());
    const start = FIRST_TIME + Math.floor(random() * (end - FIRST_TIME - span));
    return { start, end: start + span };
  });
  const all = { start: FIRST_TIME, end };
  const query = (range: { start: number; end: number }) =>
    store.series(device, { range, keys: ['temperature'], width: WIDTH });
  const result: Zoomed = { p99: [], whole: [] };
  for (let round = 0; round < rounds; round++) {
    const zoomed = await eachTimed(WINDOWS, 20, (n) => query(windows[n] ?? all));
    result.p99.push(percentile(zoomed, 0.99) / 1000);
    result.whole.push(percentile(await eachTimed(20, 2, () => query(all)), 0.5) / 1000);
  }
  await store.close();
  return result;
});
