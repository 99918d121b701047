// npm test [-- step …]: every check and test, all of them even when some fail. The last line counts them.
import './lib/require-node.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError, Interrupted, runMain } from './lib/project.mjs';
import { provideBuild, provideTools } from './lib/setup.mjs';
import { chooseSteps } from './lib/steps.mjs';
import { FAILED_CHECK, PASSED_CHECK, sum, tallyLine } from './lib/tally.mjs';

/** @typedef {import('./lib/tally.mjs').Tally} Tally */

await runMain(async () => {
  const steps = chooseSteps(process.argv.slice(2));
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldbench-test-'));
  // Hundreds of services are started: what Node has compiled once serves them all.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled');
  /** @type {{ tally: Tally, line: string }[]} */
  const results = [];

  /**
   * @param {string} what
   * @param {() => Promise<Tally>} work
   */
  const attempt = async (what, work) => {
    console.log(`\n── ${what}`);
    const began = Date.now();
    const tally = await orFailed(work);
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    results.push({ tally, line: `${what}: ${tallyLine(tally)} (${seconds} s)` });
    return tally.failed === 0;
  };

  try {
    const ready = await attempt('Tools', () => provideTools({ tests: true }).then(() => PASSED_CHECK));
    if (ready) {
      await attempt('Build', () => provideBuild().then(() => PASSED_CHECK));
      for (const step of steps) await attempt(step.what, () => step.run(folder));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  const total = sum(results.map(({ tally }) => tally));
  console.log(['', ...results.map(({ line }) => line), tallyLine(total)].join('\n'));
  return total.failed > 0 ? 1 : 0;
});

/**
 * A step that breaks is shown and counts as failed, so that the others still run.
 * @param {() => Promise<Tally>} work
 * @returns {Promise<Tally>}
 */
async function orFailed(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof CommandError ? `fieldbench: ${error.message}` : error);
    return FAILED_CHECK;
  }
}
