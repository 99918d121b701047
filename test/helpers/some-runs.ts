/** Whether everything is run: FIELDBENCH_RUNS=all. */
export const runsAll = process.env['FIELDBENCH_RUNS'] === 'all';

/** One of so many runs, or places, is had by `npm test`. */
const SHARE = 16;

/**
 * Runs of a property that takes long: a sixteenth of them, as each `npm test` draws other inputs; all with FIELDBENCH_RUNS=all,
 * before a change of what it is about lands.
 */
export const someRuns = (all: number): number => (runsAll ? all : Math.ceil(all / SHARE));

/** The seeds of a long random run: one that is new; with FIELDBENCH_RUNS=all one that is always the same, too. */
export const someSeeds = (fixed: number, fresh: number): readonly number[] =>
  runsAll ? [fixed, fresh] : [fresh];

/**
 * Places from `first` to `last`, both among them, in their order: those that are named, and of the others one in sixteen, which ones the seed says;
 * with FIELDBENCH_RUNS=all every one.
 */
export function somePlaces(
  first: number,
  last: number,
  { seed, named = [] }: { readonly seed: number; readonly named?: readonly number[] },
): readonly number[] {
  const all = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const known = new Set([first, last, ...named]);
  return all.filter((place, n) => runsAll || known.has(place) || n % SHARE === seed % SHARE);
}

/**
 * What is seen at places that follow one another, of which some are looked at; where two of these differ, those between them by halves,
 * until the ones that differ stand side by side.
 */
export async function seenAlong<T>(
  count: number,
  seed: number,
  look: (place: number) => Promise<T>,
): Promise<ReadonlySet<T>> {
  const seen = new Map<number, T>();
  const places = somePlaces(0, count - 1, { seed });
  for (const place of places) seen.set(place, await look(place));
  const between = async (low: number, high: number): Promise<void> => {
    if (high - low < 2 || seen.get(low) === seen.get(high)) return;
    const middle = Math.floor((low + high) / 2);
    seen.set(middle, await look(middle));
    await between(low, middle);
    await between(middle, high);
  };
  for (const [n, place] of places.entries()) if (n > 0) await between(places[n - 1] ?? 0, place);
  return new Set(seen.values());
}
