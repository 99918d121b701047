import { spread, whole, type Random } from './random.ts';

/*
 * Records of every shape that devices and clocks have been seen to make, and some that they might. Times in µs, sorted;
 * a column a key, NaN where a record lacks it.
 */

export interface Recording {
  readonly keys: readonly string[];
  readonly times: Float64Array;
  readonly columns: readonly Float64Array[];
  /** Records far from all others, before and after them: a chart leaves them out at first. */
  readonly farOff?: { readonly before: number; readonly after: number };
  /** Whether the numbers are stored as texts, which no chart draws. */
  readonly isText?: boolean;
  /** The share of the records that arrive late. */
  readonly late?: number;
}

export type Shape = (random: Random, size: number) => Recording;

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;
const FIRST = Date.UTC(2025, 3, 1) * 1000;

/** Instants with this between them, and now and then a silence that nobody overlooks. */
function timesOf(random: Random, size: number, interval: () => number, silences = 0): Float64Array {
  const times = new Float64Array(size);
  const rate = silences / size;
  let time = FIRST;
  let usual = 0;
  for (let i = 0; i < size; i++) {
    times[i] = time;
    const step = interval();
    usual = Math.max(usual, step);
    time += step;
    if (random() < rate) time += Math.round(usual * spread(random, 40, Math.max(80, size / 4)));
  }
  return times;
}

function steady(random: Random, size: number, silences = 0): Float64Array {
  const step = Math.round(spread(random, 1000, 600 * SECOND));
  const jitter = random() < 0.5 ? 0 : step / 5;
  return timesOf(random, size, () => step + Math.round(random() * jitter), silences);
}

const filled = (size: number, value: (row: number) => number) =>
  Float64Array.from({ length: size }, (_, row) => value(row));

/** Numbers that drift, swing, leap now and then, or stay, at any height. */
function values(random: Random, size: number): Float64Array {
  const scale = spread(random, 1e-3, 1e6);
  const base = (random() - 0.5) * 10 * scale;
  const swing = spread(random, 5, size + 5);
  const kind = whole(random, 0, 3);
  let at = 0;
  return filled(size, (row) => {
    at += random() - 0.5;
    if (kind === 0) return base + at * scale;
    if (kind === 1) return base + Math.sin(row / swing) * scale;
    if (kind === 2) return base + (random() < 0.001 ? 9 : random()) * scale;
    return base + Math.floor(row / swing) * scale;
  });
}

const where = (column: Float64Array, has: (row: number) => boolean) =>
  column.map((value, row) => (has(row) ? value : Number.NaN));
const silencesOf = (random: Random) => whole(random, 0, 4);

export const SHAPES: Readonly<Record<string, Shape>> = {
  dense: (random, size) => ({
    keys: ['a', 'b'],
    times: steady(random, size, silencesOf(random)),
    columns: [values(random, size), values(random, size)],
  }),
  'in turn': (random, size) => {
    const kinds = whole(random, 2, 3);
    const times = steady(random, size, silencesOf(random));
    return {
      keys: ['a', 'b', 'c'].slice(0, kinds),
      times,
      columns: Array.from({ length: kinds }, (_, key) =>
        where(values(random, size), (row) => row % kinds === key),
      ),
    };
  },
  'two of three': (random, size) => ({
    keys: ['a', 'b'],
    times: steady(random, size, silencesOf(random)),
    columns: [where(values(random, size), (row) => row % 3 < 2), values(random, size)],
  }),
  'one in fifty': (random, size) => {
    // The rare one is silent for long, while the other goes on.
    const from = Math.floor(size * (0.2 + random() * 0.3));
    const to = from + Math.floor(size * 0.25);
    return {
      keys: ['often', 'rare'],
      times: steady(random, size),
      columns: [
        values(random, size),
        where(values(random, size), (row) => row % 50 === 0 && (row < from || row > to)),
      ],
    };
  },
  bursts: (random, size) => {
    const length = whole(random, 4, 20);
    const short = whole(random, 100, 10_000);
    const pause = Math.round(spread(random, 200, 20_000)) * short;
    let n = 0;
    return {
      keys: ['a'],
      times: timesOf(random, size, () => (++n % length === 0 ? pause : short)),
      columns: [values(random, size)],
    };
  },
  'lone points': (random, size) => {
    const times = steady(random, size);
    // Some stand alone among many: before and after them nothing for long.
    const step = (times.at(-1) ?? 0) - FIRST + 1;
    const lone = new Set(Array.from({ length: Math.min(6, size >> 3) }, () => whole(random, 1, size - 1)));
    let shift = 0;
    for (let row = 0; row < size; row++) {
      if (lone.has(row)) shift += Math.round(step * (0.1 + random()));
      const isLone = lone.has(row);
      times[row] = (times[row] ?? 0) + shift;
      if (isLone) shift += Math.round(step * (0.1 + random()));
    }
    return { keys: ['a'], times, columns: [values(random, size)] };
  },
  constant: (random, size) => {
    const value = random() < 0.3 ? 0 : (random() - 0.5) * spread(random, 1e-6, 1e9);
    return {
      keys: ['a'],
      times: steady(random, size, silencesOf(random)),
      columns: [filled(size, () => value)],
    };
  },
  step: (random, size) => {
    const at = whole(random, 0, size);
    return {
      keys: ['a'],
      times: steady(random, size),
      columns: [filled(size, (row) => (row < at ? 0 : 1))],
    };
  },
  'one spike': (random, size) => {
    const at = whole(random, 0, size - 1);
    return {
      keys: ['a'],
      times: steady(random, size),
      columns: [filled(size, (row) => (row === at ? 1000 : Math.sin(row)))],
    };
  },
  'one record': (random) => ({
    keys: ['a', 'b'],
    times: Float64Array.of(FIRST),
    columns: [values(random, 1), values(random, 1)],
  }),
  'two records': (random) => ({
    keys: ['a'],
    times: Float64Array.of(FIRST, FIRST + Math.round(spread(random, 10_000, 1000 * DAY))),
    columns: [values(random, 2)],
  }),
  'equal times': (random, size) => {
    const together = whole(random, 2, Math.max(2, Math.min(40, size >> 1)));
    const times = steady(random, size);
    return {
      keys: ['a'],
      times: times.map((_, row) => times[row - (row % together)] ?? 0),
      columns: [values(random, size)],
    };
  },
  'one instant': (random, size) => ({
    keys: ['a'],
    times: filled(Math.min(size, 5000), () => FIRST),
    columns: [values(random, Math.min(size, 5000))],
  }),
  'many keys of two kinds': (random, size) => {
    const rows = Math.min(size, 1500);
    const keys = Array.from({ length: 300 }, (_, key) => `sensor.${String(key).padStart(3, '0')}.value`);
    return {
      keys,
      times: steady(random, rows, silencesOf(random)),
      columns: keys.map((_, key) => where(values(random, rows), (row) => row % 2 === key % 2)),
    };
  },
  'far-off times': (random, size) => {
    const rows = Math.max(60, size);
    const times = steady(random, rows);
    const before = whole(random, 0, 1);
    const after = before === 0 ? 1 : whole(random, 0, 1);
    if (before) times[0] = 0;
    if (after) times[rows - 1] = Date.UTC(2099, 11, 31) * 1000;
    return { keys: ['a'], times, columns: [values(random, rows)], farOff: { before, after } };
  },
  'no numbers': (random, size) => ({
    keys: ['a', 'b'],
    times: steady(random, size),
    columns: [values(random, size), values(random, size)],
    isText: true,
  }),
  'late arrivals': (random, size) => ({
    keys: ['a', 'b'],
    times: steady(random, size, silencesOf(random)),
    columns: [values(random, size), where(values(random, size), (row) => row % 5 === 0)],
    late: random() * 0.3,
  }),
};
