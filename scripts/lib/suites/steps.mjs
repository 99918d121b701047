import { npmRun } from '../npm.mjs';
import { CommandError } from '../project.mjs';
import { contract, contractInMemory, endToEnd, keychain, LIMIT_MS, shown, unit } from './suites.mjs';
import { tallyStep } from './tally.mjs';

/** @typedef {import('./suites.mjs').Result} Result */
/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} what
 * @property {(folder: string) => Promise<Result>} run folder: takes its report
 * @property {true} [isCheck] reads the sources alone, on one core: all of them run beside one another
 */

/**
 * @param {string} name
 * @param {string} what
 * @returns {Step}
 */
const check = (name, what) => ({
  name,
  what,
  isCheck: true,
  async run() {
    const running = npmRun(`check:${name}`, [], { limitMs: LIMIT_MS, output: 'quiet' });
    const code = await shown(running);
    return { tally: tallyStep({ code, report: null }), remarks: [], output: (await running).output };
  },
});

/** What proves most of several services in a minute; `npm run test:lab` runs all of test/contract/. */
const ACROSS = [
  'test/contract/document.test.ts',
  'test/contract/access/keys.test.ts',
  'test/contract/removal/removal.test.ts',
  'test/contract/removal/undo.test.ts',
  'test/contract/windows/window-events.test.ts',
  'test/contract/mqtt/undo.test.ts',
];

/** What keeps most, by most doors, and looks at no file. */
const KEEPING = [
  'test/contract/document.test.ts',
  'test/contract/access/keys.test.ts',
  'test/contract/backup/backup.test.ts',
  'test/contract/files/export-parts.test.ts',
  'test/contract/metadata/key-settings.test.ts',
  'test/contract/mqtt/sessions.test.ts',
  'test/contract/records/statistics.test.ts',
  'test/contract/removal/undo.test.ts',
  'test/contract/windows/window-events.test.ts',
];

/** @type {readonly Step[]} in the order in which a mistake is cheapest to find */
const STEPS = [
  check('format', 'Format (Oxfmt)'),
  check('types', 'Types (TypeScript)'),
  check('lint', 'Lint (Oxlint)'),
  check('walls', 'Walls (dependency-cruiser)'),
  check('unused', 'Unused files, exports and dependencies (Knip)'),
  { name: 'unit', what: 'Unit tests and suites (Vitest)', run: unit },
  { name: 'lab', what: 'Contract over 3 services and a database (Vitest)', run: contract(3, ACROSS) },
  { name: 'memory', what: 'Contract over memory (Vitest)', run: contractInMemory(KEEPING) },
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
