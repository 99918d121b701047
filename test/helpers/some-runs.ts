const ALL = process.env['FIELDBENCH_RUNS'] === 'all';

/**
 * Runs of a property that takes long: an eighth of them, as each `npm test` draws other inputs; all with FIELDBENCH_RUNS=all,
 * before a change of what it is about lands.
 */
export const someRuns = (all: number): number => (ALL ? all : Math.ceil(all / 8));

/** The seeds of a long random run: one that is new; with FIELDBENCH_RUNS=all one that is always the same, too. */
export const someSeeds = (fixed: number, fresh: number): readonly number[] =>
  ALL ? [fixed, fresh] : [fresh];
