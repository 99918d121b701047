import { npmRun } from './npm.mjs';
import { CommandError } from './project.mjs';
import { contract, endToEnd, keychain, LIMIT_MS, shown, unit } from './suites.mjs';
import { tallyStep } from './tally.mjs';

/** @typedef {import('./suites.mjs').Result} Result */
/** @typedef {{ name: string, what: string, run: (folder: string) => Promise<Result> }} Step run: folder takes its report */

/**
 * @param {string} script
 * @returns {() => Promise<Result>}
 */
const check = (script) => async () => {
  const code = await shown(npmRun(script, [], { limitMs: LIMIT_MS }));
  return { tally: tallyStep({ code, report: null }), remarks: [] };
};

/** What proves most of several services in a minute; `npm run test:lab` runs all of test/contract/. */
const ACROSS = [
  'test/contract/document.test.ts',
  'test/contract/access/keys.test.ts',
  'test/contract/removal/removal.test.ts',
  'test/contract/removal/undo.test.ts',
  'test/contract/windows/window-events.test.ts',
  'test/contract/mqtt/undo.test.ts',
];

/** @type {readonly Step[]} in the order in which a mistake is cheapest to find */
const STEPS = [
  { name: 'format', what: 'Format (Prettier)', run: check('check:format') },
  { name: 'types', what: 'Types (TypeScript)', run: check('check:types') },
  { name: 'lint', what: 'Lint (Oxlint)', run: check('check:lint') },
  { name: 'walls', what: 'Walls (dependency-cruiser)', run: check('check:walls') },
  { name: 'unused', what: 'Unused files, exports and dependencies (Knip)', run: check('check:unused') },
  { name: 'unit', what: 'Unit tests and suites (Vitest)', run: unit },
  { name: 'lab', what: 'Contract over 3 services and a database (Vitest)', run: contract(3, ACROSS) },
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
