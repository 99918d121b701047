import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inProject } from '../project.mjs';

// What draws in tests: nothing else in test/ may (test/unit/scripts/chance.test.ts).
const LIBRARY = 'fast-check';
const SEEDS = 'test/helpers/chance.ts';

// Types are gone when a test runs. A wrong guess at an import can only keep a test from a second run.
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b(?!\s+type\b)(?:[^'";]*?\bfrom)?\s*'([^'\n]+)'|\bimport\(\s*'([^'\n]+)'/g;

/**
 * Whether a test may meet other inputs each time: it, or what it imports in test/, takes random inputs from fast-check or
 * from the common seeds. So it is told of a whole file, the same for every failure, be it a time-out without a word.
 * @param {string} file relative to the project
 */
export const hasChance = (file) => reachesChance(file, new Set());

/**
 * @param {string} file
 * @param {Set<string>} seen
 * @returns {boolean}
 */
function reachesChance(file, seen) {
  if (file === SEEDS) return true;
  if (seen.has(file) || !existsSync(inProject(file))) return false;
  seen.add(file);
  const text = readFileSync(inProject(file), 'utf8');
  const imported = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '');
  return (
    imported.includes(LIBRARY) ||
    imported
      .filter((name) => /^\.{1,2}\/.*\.\w+$/.test(name))
      .some((name) => reachesChance(path.posix.join(path.posix.dirname(file), name), seen))
  );
}
