/**
 * One of several services, by chance: what is asked of them in turn is asked of any. Draws from no seed, as requests overtake
 * each other anyway; tests over several services are never tried a second time (scripts/lib/suites/suites.mjs).
 */
export const oneOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];
