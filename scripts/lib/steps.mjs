import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findChromium } from './chromium.mjs';
import { findElectron } from './electron.mjs';
import { npmCommand, npmRun } from './npm.mjs';
import { CommandError } from './project.mjs';
import { run, which } from './run.mjs';
import { fromPlaywright, fromSkipLine, fromVitest, tallyStep } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ name: string, what: string, run: (folder: string) => Promise<Tally> }} Step run: folder takes its report */

// A step that hangs must not hang the whole; the longest takes seven minutes, and on a busy machine several times that.
const LIMIT_MS = 30 * 60 * 1000;

/**
 * @param {string} script
 * @returns {() => Promise<Tally>}
 */
const check = (script) => async () =>
  tallyStep({ code: await shown(npmRun(script, [], { limitMs: LIMIT_MS })), report: null });

/** @type {readonly Step[]} in the order in which a mistake is cheapest to find */
const STEPS = [
  { name: 'format', what: 'Format (Prettier)', run: check('check:format') },
  { name: 'types', what: 'Types (TypeScript)', run: check('check:types') },
  { name: 'lint', what: 'Lint (Oxlint)', run: check('check:lint') },
  { name: 'walls', what: 'Walls (dependency-cruiser)', run: check('check:walls') },
  { name: 'unused', what: 'Unused files, exports and dependencies (Knip)', run: check('check:unused') },
  { name: 'unit', what: 'Unit tests and suites (Vitest)', run: unit },
  { name: 'keychain', what: 'Vault on the system keychain (Vitest)', run: keychain },
  { name: 'e2e', what: 'End to end (Playwright)', run: endToEnd },
];

/**
 * @param {readonly string[]} names none: all of them
 * @returns {readonly Step[]}
 */
export function chooseSteps(names) {
  const known = STEPS.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new CommandError(`there is no step "${unknown}"; the steps are ${known.join(', ')}.`);
  return names.length === 0 ? STEPS : STEPS.filter(({ name }) => names.includes(name));
}

/** @param {string} file */
const vitestArguments = (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];

/** @param {string} folder */
async function unit(folder) {
  const file = path.join(folder, 'unit.json');
  const code = await shown(npmRun('test:unit', vitestArguments(file), { limitMs: LIMIT_MS }));
  return tallyStep({ code, report: readReport(file, fromVitest) });
}

/** @param {string} folder */
async function keychain(folder) {
  const file = path.join(folder, 'keychain.json');
  const running = npmRun('test:keychain', vitestArguments(file), { limitMs: LIMIT_MS, output: 'tee' });
  const code = await shown(running);
  return tallyStep({ code, report: readReport(file, fromVitest) ?? fromSkipLine((await running).output) });
}

/** @param {string} folder */
async function endToEnd(folder) {
  const file = path.join(folder, 'e2e.json');
  const chromium = findChromium();
  const env = {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    ...(chromium === null ? {} : { FIELDBENCH_CHROMIUM: chromium }),
  };
  const code = await shown(onDisplay('test:e2e', ['--reporter=list,json'], { env, limitMs: LIMIT_MS }));
  const tally = tallyStep({ code, report: readReport(file, fromPlaywright) });
  // The configuration leaves the host out where it cannot run, so the report does not know of it.
  return findElectron() === null ? { ...tally, skipped: tally.skipped + 1 } : tally;
}

/**
 * Real Electron wants a display even when nobody looks: without one a virtual one is started around the tests.
 * @param {string} script
 * @param {readonly string[]} args
 * @param {import('./run.mjs').RunOptions} options
 */
function onDisplay(script, args, options) {
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (hasDisplay || findElectron() === null || which('xvfb-run') === null)
    return npmRun(script, args, options);
  const npm = npmCommand(process.env);
  return run('xvfb-run', ['-a', npm.command, ...npm.args, 'run', '--silent', script, '--', ...args], options);
}

/**
 * @param {Promise<import('./run.mjs').Outcome>} running
 * @returns {Promise<number>} its exit code, a time-out named
 */
async function shown(running) {
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
