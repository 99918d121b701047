/*
 * Draws records of many shapes in the built app and reads the pixels: no shape with numbers paints nothing, no extreme is
 * lost, no line crosses a silence. `npm run paint -- --minutes N --seed S`; each round has a seed, which is printed, and
 * the first that fails ends it with exit code 1 and says how to have it again.
 */
import { parseArgs } from 'node:util';
import { formatMicros } from '#shared/values/time.ts';
import { freshSeed } from '../../helpers/chance.ts';
import { pictureOf, withRecordings, wordsOf, type PaintingApp } from './app.ts';
import { problemsOf } from './oracle.ts';
import { seeded, spread, type Random } from './random.ts';
import { SHAPES, type Recording } from './shapes.ts';

const USAGE = 'npm run paint -- [--minutes N] [--seed S] [--records N] [--only SHAPE]';

interface Plan {
  /** Null: one round. */
  readonly minutes: number | null;
  readonly seed: number;
  /** Of the longest recording. */
  readonly records: number;
  readonly shapes: readonly string[];
}

function planOf(args: readonly string[]): Plan {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string' },
      seed: { type: 'string' },
      records: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const number = (name: 'minutes' | 'seed' | 'records', value: string | undefined) => {
    if (value === undefined) return null;
    if (!(Number(value) > 0)) throw new RangeError(`--${name} takes a number above 0, got "${value}".`);
    return Number(value);
  };
  if (values.only !== undefined && !Object.hasOwn(SHAPES, values.only))
    throw new RangeError(`--only takes one of ${Object.keys(SHAPES).join(', ')}, got "${values.only}".`);
  return {
    minutes: number('minutes', values.minutes),
    seed: number('seed', values.seed) ?? freshSeed(),
    records: number('records', values.records) ?? 1_000_000,
    shapes: values.only === undefined ? Object.keys(SHAPES) : [values.only],
  };
}

/** Shapes that a chart draws from summaries, so that each round has some long ones. */
const LONG = ['dense', 'in turn', 'one in fifty', 'bursts', 'lone points', 'late arrivals', 'far-off times'];
/** A device with more records than this is summarised. */
const LOADED = 500_000;
const SHORTEST = 3;
const MIDDLING = 60_000;
const KEYS_DRAWN = 3;
const ZOOMS = 3;

interface Case {
  readonly name: string;
  readonly recording: Recording;
}

function casesOf(random: Random, { records, shapes }: Plan): Case[] {
  const made = (name: string, size: number): Case => {
    const recording = SHAPES[name]!(random, size);
    return { name: `${name}, ${recording.times.length} records`, recording };
  };
  const short = shapes.map((name) => made(name, Math.round(spread(random, SHORTEST, MIDDLING))));
  const long = LONG.filter((name) => shapes.includes(name) && records > LOADED);
  const which = long[Math.floor(random() * long.length)];
  const middle = long.filter((name) => name !== which).slice(0, 3);
  return [
    ...short,
    ...middle.map((name) => made(name, LOADED + Math.round(random() * 100_000))),
    ...(which === undefined ? [] : [made(which, records)]),
  ];
}

/** One round; what is wrong, in words. */
async function paint(plan: Plan, seed: number): Promise<string[]> {
  const random = seeded(seed);
  const cases = casesOf(random, plan);
  const problems: string[] = [];
  const recordings = cases.map(({ recording }) => recording);
  await withRecordings(recordings, async (app) => {
    for (const [n, one] of cases.entries()) {
      const found = await problemsOfCase(app, one, app.devices[n] ?? '', random);
      problems.push(...found.map((problem) => `${one.name}: ${problem}`));
    }
  });
  return problems;
}

async function problemsOfCase(
  { page, project }: PaintingApp,
  { recording }: Case,
  device: string,
  random: Random,
): Promise<string[]> {
  if (recording.isText) {
    const words = await wordsOf(page, { project, device });
    // Of few different texts it shows when which one held.
    return /No numeric keys| over time$/.test(words) ? [] : [`the chart says "${words}"`];
  }
  const drawn = recording.keys.slice(0, KEYS_DRAWN).map((_, key) => key);
  const keys = drawn.map((key) => recording.keys[key] ?? '');
  const whole = wholeOf(recording);
  const looks = [
    { query: '', ...whole.first },
    ...(recording.farOff ? [{ query: '&far=1', ...whole.all }] : []),
    ...Array.from({ length: ZOOMS }, () => zoomOf(recording, whole.first, random)),
  ];
  const problems: string[] = [];
  for (const { query, from, to } of looks) {
    const picture = await pictureOf(page, { project, device, keys, query });
    const where = `${formatMicros(from)} to ${formatMicros(to)}${query === '' ? ' (at first)' : ''}`;
    if (Math.abs(picture.from - from) > 1000 || Math.abs(picture.to - to) > 1000)
      problems.push(`${where}: shown is ${formatMicros(picture.from)} to ${formatMicros(picture.to)}`);
    else problems.push(...problemsOf(recording, drawn, picture).map((problem) => `${where}: ${problem}`));
  }
  return problems;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a chart shows at first, and what it shows of everything. */
function wholeOf({
  times,
  farOff: { before, after } = { before: 0, after: 0 },
}: Recording): Record<'first' | 'all', Span> {
  const between = (from: number, to: number) =>
    from === to ? { from: from - 1e6, to: to + 1e6 } : { from, to };
  const [first, last] = [0, times.length - 1];
  return {
    first: between(times[first + before] ?? 0, times[last - after] ?? 0),
    all: between(times[first] ?? 0, times[last] ?? 0),
  };
}

/** A part of a span with some record in its middle, of any width down to a ten thousandth. */
function zoomOf({ times }: Recording, { from, to }: Span, random: Random): Span & { readonly query: string } {
  const width = Math.max(20_000, Math.round((to - from) * spread(random, 1e-4, 1)));
  const middle = times[Math.floor(random() * times.length)] ?? from;
  const start = Math.max(from, Math.min(middle, to) - Math.round(width / 2));
  const end = start + width;
  return { from: start, to: end, query: `&from=${formatMicros(start)}&to=${formatMicros(end)}` };
}

/** Resolves with the exit code: 0 when the time is over, 1 when a round failed. */
async function run(plan: Plan): Promise<number> {
  const began = performance.now();
  const elapsed = () => ((performance.now() - began) / 60_000).toFixed(1);
  for (let round = 0; ; round++) {
    const seed = plan.seed + round;
    const problems = await paint(plan, seed);
    console.log(
      `${elapsed()} min  seed ${seed}: ${problems.length === 0 ? 'painted as it should be' : 'wrong'}`,
    );
    if (problems.length > 0) {
      console.error(
        [...problems, `Again: npm run paint -- --seed ${seed} --records ${plan.records}`].join('\n'),
      );
      return 1;
    }
    if (plan.minutes === null || performance.now() - began >= plan.minutes * 60_000) return 0;
  }
}

try {
  process.exitCode = await run(planOf(process.argv.slice(2)));
} catch (error) {
  console.error(error);
  console.error(USAGE);
  process.exitCode = 2;
}
