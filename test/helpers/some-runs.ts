/**
 * Runs of a property that takes long: an eighth of them, as each `npm test` draws other inputs; all with FIELDBENCH_RUNS=all,
 * before a change of what it is about lands.
 */
export const someRuns = (all: number): number =>
  process.env['FIELDBENCH_RUNS'] === 'all' ? all : Math.ceil(all / 8);
