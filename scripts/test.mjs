// npm test [-- step …]: every check and test, all of them even when some fail. The last line counts them.
import './lib/require-node.mjs';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError, Interrupted, runMain } from './lib/project.mjs';
import { provideBuild, provideTools } from './lib/setup.mjs';
import { chooseSteps } from './lib/suites/steps.mjs';
import { FAILED_CHECK, PASSED_CHECK, sum, tallyLine } from './lib/suites/tally.mjs';

/** @typedef {import('./lib/suites/tally.mjs').Tally} Tally */
/** @typedef {import('./lib/suites/suites.mjs').Result} Result */

/** @type {Result} */
const DONE = { tally: PASSED_CHECK, remarks: [] };

await runMain(async () => {
  const steps = chooseSteps(process.argv.slice(2));
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldbench-test-'));
  // Hundreds of services are started: what Node has compiled once serves them all.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled');
  // Without a locale Chromium saves no download where a folder's name is not ASCII.
  if (!process.env['LC_ALL'] && !process.env['LC_CTYPE']) process.env['LANG'] ||= 'C.UTF-8';
  // What is tested is what ships (test/helpers/service/scripts.ts).
  process.env['FIELDBENCH_TEST_BUILT'] = '1';
  // A test that ended without a word, as one that takes too long, is had again by the seed of the run.
  const seed = (process.env['FIELDBENCH_SEED'] ??= String(randomInt(2 ** 31)));
  /** @type {{ tally: Tally, remarks: readonly string[], line: string }[]} */
  const results = [];

  /**
   * @param {string} what
   * @param {() => Promise<Result>} work
   * @param {{ isQuiet?: boolean }} [how] isQuiet: what it writes is shown when it is over, since others run beside it
   */
  const attempt = async (what, work, { isQuiet = false } = {}) => {
    const heading = `\n── ${what}`;
    if (!isQuiet) console.log(heading);
    const began = Date.now();
    const { tally, remarks, output = '' } = await orFailed(work);
    if (isQuiet) console.log(`${heading}\n${output.trimEnd()}`);
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    results.push({ tally, remarks, line: `${what}: ${tallyLine(tally)} (${seconds} s)` });
    return tally.failed === 0;
  };

  try {
    const ready = await attempt('Tools', () => provideTools({ tests: true }).then(() => DONE));
    if (ready) {
      await attempt('Build', () => provideBuild().then(() => DONE));
      const checks = steps.filter(({ isCheck }) => isCheck);
      await Promise.all(checks.map(({ what, run }) => attempt(what, () => run(folder), { isQuiet: true })));
      for (const { what, run, isCheck } of steps) if (!isCheck) await attempt(what, () => run(folder));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  const total = sum(results.map(({ tally }) => tally));
  // The whole output is long, and of some logs only the end is kept.
  const remarks = results.flatMap((result) => result.remarks);
  if (total.failed > 0) remarks.push(`seed of this run: FIELDBENCH_SEED=${seed}`);
  console.log(['', ...remarks, '', ...results.map(({ line }) => line), tallyLine(total)].join('\n'));
  return total.failed > 0 ? 1 : 0;
});

/**
 * A step that breaks is shown and counts as failed, so that the others still run.
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
async function orFailed(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof CommandError ? `fieldbench: ${error.message}` : error);
    return { tally: FAILED_CHECK, remarks: [] };
  }
}
