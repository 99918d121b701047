import type { StoredRecord, Value } from '#core/store/store.ts';
import type { ExcursionsQuery } from '#core/survey/excursions.ts';
import { Random } from '../files/random.ts';
import { record } from '../../suites/record-store/harness.ts';

/* Random recordings of one key, with what goes wrong in them, and questions about them. */

export interface Recording {
  /** In order of arrival, the records of each in order of time. */
  readonly segments: readonly (readonly StoredRecord[])[];
  /** What arrived behind them. */
  readonly tail: readonly StoredRecord[];
  readonly blockRows: number;
  readonly queries: readonly ExcursionsQuery[];
}

const KEY = 'k';
const QUERIES = 4;

export function recordingOf(seed: number): Recording {
  const random = new Random(seed);
  const pause = random.of([1, 7, 1000, 600_000_000]);
  const records = recordsOf(random, pause);
  const times = records.map(({ timestamp }) => timestamp);
  const sources = random.int(1, 4);
  const parts = Array.from({ length: sources + 1 }, (): StoredRecord[] => []);
  const mixes = random.of(['in turn', 'in turn', 'some late', 'all mixed']);
  for (const [i, one] of records.entries()) {
    const inTurn = Math.floor((i * sources) / records.length);
    const isMoved = mixes === 'all mixed' || (mixes === 'some late' && random.chance(1 / 20));
    parts[isMoved ? random.int(0, sources) : inTurn]!.push(one);
    // Sent twice.
    if (random.chance(1 / 40)) parts[random.int(0, sources)]!.push({ ...one });
  }
  const [tail = [], ...segments] = parts.toReversed();
  return {
    segments: segments.toReversed().filter((part) => part.length > 0),
    tail,
    blockRows: random.of([1, 5, 40, 1024]),
    queries: Array.from({ length: QUERIES }, () => queryOf(random, times, pause)),
  };
}

function recordsOf(random: Random, pause: number): StoredRecord[] {
  const length = random.of([0, 1, 2, 10, 60, 300, 900]);
  const usual = Math.max(1, Math.floor(pause / random.of([1, 3, 20])));
  const oddly = random.of([0, 0, 0.3, 0.03]);
  const strangely = random.of([0, 0, 0.1, 0.6]);
  const strange = random.of<readonly (Value | null)[]>([
    [null],
    ['n/a', ''],
    [true, false],
    ['n/a', true, null],
  ]);
  const lasting = random.of([1, 5, 200]);
  let time = random.of([0, -1_000_003, 1_772_483_421_202_946]);
  let level = 0;
  return Array.from({ length }, () => {
    const odd = random.chance(oddly);
    time += odd ? random.of([0, 0, pause, pause + 1, 50 * pause]) : usual;
    if (random.chance(1 / lasting)) level = random.of([-20, -10, -5, 0, 1.5, 5, 10, 20]);
    const noise = random.of([0, 0, 0, 0.5, -0.5]);
    const value = random.chance(strangely) ? random.of(strange) : level + noise;
    return record(time, value === null ? { other: 'nothing' } : { [KEY]: value, other: 1 });
  });
}

function queryOf(random: Random, times: readonly number[], pause: number): ExcursionsQuery {
  const instant = () =>
    (times[random.int(0, Math.max(0, times.length - 1))] ?? 0) + random.of([0, 0, 0, -1, 1, 10 * pause]);
  const [a, b] = [instant(), instant()];
  const whole = random.chance(1 / 4) && times.length > 0;
  return {
    key: KEY,
    range: whole
      ? { start: Math.min(...times), end: Math.max(...times) }
      : { start: Math.min(a, b), end: Math.max(a, b) },
    normal: {
      low: random.of([null, -10, -5, 0]),
      high: random.of([null, 5, 10, 10.5]),
    },
    pause: random.of([null, pause, pause, pause - 1, 2 * pause, 0]),
    most: random.of([0, 3, 100_000]),
    width: random.of([null, 1, 40, 1000]),
  };
}
