import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleOf } from '../lib/measure.ts';
import { timesMore, type Figure, type Row } from '../lib/row.ts';
import { openCsvSniffer, type SniffedTable } from '../peers/duckdb-csv.ts';
import { judge } from '../../test/fuzz/files/judge.ts';
import { recipeOf, type Recipe } from '../../test/fuzz/files/recipe.ts';
import { wayOf } from '../../test/fuzz/files/times.ts';
import { writeFile as written, type WrittenFile } from '../../test/fuzz/files/write-file.ts';

const FILES = 1000;
const FIRST_SEED = 1;

type Theirs = Record<'right' | 'unread' | 'wrong' | 'refused', number>;

export const sniffers: Row = {
  name: 'sniffers',
  title: 'Files of known values, read without settings, beside the sniffer of DuckDB',
  async run(bench): Promise<Figure[]> {
    const files = bench.isSmall ? 50 : FILES;
    const path = join(await bench.madeFolder(), 'file.csv');
    const ours = { right: 0, texts: 0, refused: 0, said: 0, silent: 0 };
    const theirs: Theirs = { right: 0, unread: 0, wrong: 0, refused: 0 };
    const sniffer = await openCsvSniffer();
    try {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + files; seed++) {
        const recipe = recipeOf(seed);
        const file = written(recipe, seed);
        ours[(await judge(file)).kind]++;
        await writeFile(path, file.bytes);
        theirs[outcomeOf(await sniffer.read(path), recipe, file)]++;
      }
    } finally {
      sniffer.close();
    }
    bench.note(
      `Of ${files} files, ours were ${ours.right} right, ${ours.texts} with numbers kept as texts and said, ${ours.refused} refused, ${ours.said} wrong and said, ${ours.silent} wrong without a word; of DuckDB ${theirs.right} right, ${theirs.unread} with numbers or times left as texts or digits, ${theirs.refused} refused, ${theirs.wrong} wrong, which it does not say.`,
    );
    const share = (count: number) => sampleOf([(100 * count) / files]);
    const right = { ours: share(ours.right), theirs: share(theirs.right) };
    return [
      {
        figure: `files right at first sight, ${files} of known values`,
        measured: right.ours,
        unit: '%',
        must: { text: '≥ 70 %', holds: right.ours.median >= 70 },
        peer: { name: 'DuckDB read_csv, times and numbers', measured: right.theirs },
        ratio: timesMore(right.ours, right.theirs),
      },
      {
        figure: 'files wrong without a word',
        measured: share(ours.silent),
        unit: '%',
        must: { text: '0', holds: ours.silent === 0 },
        peer: { name: 'DuckDB read_csv, times and numbers', measured: share(theirs.wrong) },
      },
    ];
  },
};

/** Ways whose times are numbers; such a number is right as it is, since DuckDB is not asked what it counts. */
const NUMBERS = /^(?:seconds|minutes|milliseconds|microseconds|nanoseconds|days)/;

/**
 * What became of the times and numbers that were written; texts and truths do not count. "unread": nothing is wrong, and some
 * are left as texts, or as digits.
 */
function outcomeOf(table: SniffedTable | null, recipe: Recipe, file: WrittenFile): keyof Theirs {
  if (!table) return 'refused';
  const { kinds, rows } = table;
  const first = Number(recipe.counted) + Number(recipe.received === 'before');
  const behind = first + recipe.timeNames.length;
  const values = [...kinds.keys()].slice(Number(recipe.counted)).filter((at) => at < first || at >= behind);
  // A row without a value is no record.
  const held = rows.filter((row) => values.some((at) => row[at] !== null));
  if (held.length !== file.records.length) return 'wrong';
  const timeKind = NUMBERS.test(recipe.way) ? 'number' : 'time';
  const areTimes = kinds.slice(first, behind).every((kind) => kind === timeKind);
  let unread = !areTimes;
  for (const [at, { time, values: truth }] of file.records.entries()) {
    const row = held[at] ?? [];
    if (truth.length !== values.length) return 'wrong';
    const sum = row.slice(first, behind).reduce<number>((all, one) => all + Number(one), 0);
    if (areTimes && sum !== timeOf(time, recipe, file)) return 'wrong';
    for (const [index, value] of truth.entries()) {
      const got = row[values[index] ?? NaN] ?? undefined;
      if (got === value || (typeof value !== 'number' && value !== undefined)) continue;
      if (typeof got !== 'string') return 'wrong';
      unread = true;
    }
  }
  return unread ? 'unread' : 'right';
}

/** A time as a sniffer may give it: the number that was written, or µs since 1970. */
function timeOf(time: number, { way }: Recipe, { startMs }: WrittenFile): number {
  const { write, elapsed } = wayOf(way);
  return NUMBERS.test(way) ? Number(write(time / 1000 - (elapsed ? startMs : 0))[0]) : time;
}
