import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../project.mjs';

/** @typedef {{ file: string, name: string, message: string }} Failure file: relative to the project; message: its first lines */

const MESSAGE_LINES = 6;

/** @param {string} text */
const beginning = (text) =>
  stripVTControlCharacters(text).trim().split('\n').slice(0, MESSAGE_LINES).join('\n');
/** @param {string} file */
const inProject = (file) => path.relative(ROOT, path.resolve(ROOT, file)).split(path.sep).join('/');

/**
 * @typedef {{ fullName: string, status: string, failureMessages?: string[] }} VitestTest
 * @typedef {{ name: string, status: string, message?: string, assertionResults: VitestTest[] }} VitestFile
 */

/**
 * @param {string} text what Vitest's json reporter wrote
 * @returns {readonly Failure[]} a file that does not load is one of its own
 */
export function failuresOfVitest(text) {
  /** @type {{ testResults: VitestFile[] }} */
  const { testResults } = JSON.parse(text);
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = inProject(name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0)
      return [{ file, name: 'does not load', message: beginning(message ?? '') }];
    return failed.map((test) => ({
      file,
      name: test.fullName,
      message: beginning(test.failureMessages?.join('\n') ?? ''),
    }));
  });
}

/**
 * @typedef {{ status?: string, error?: { message?: string } }} PlaywrightResult
 * @typedef {{ title: string, file: string, tests: { projectName: string, status: string, results: PlaywrightResult[] }[] }} PlaywrightSpec
 * @typedef {{ title: string, suites?: PlaywrightSuite[], specs?: PlaywrightSpec[] }} PlaywrightSuite
 */

/**
 * @param {string} text what Playwright's json reporter wrote
 * @returns {readonly Failure[]}
 */
export function failuresOfPlaywright(text) {
  /** @type {{ config: { rootDir: string }, suites: PlaywrightSuite[], errors: { message?: string }[] }} */
  const { config, suites, errors } = JSON.parse(text);
  /** @type {(suite: PlaywrightSuite) => PlaywrightSpec[]} */
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  return [
    ...errors.map(({ message = '' }) => ({
      file: '',
      name: 'outside any test',
      message: beginning(message),
    })),
    ...suites.flatMap(specsOf).flatMap(({ title, file, tests }) =>
      // Whether a spec is ok is said of its first project alone.
      tests
        .filter(({ status }) => status === 'unexpected')
        .map(({ projectName, results }) => ({
          file: inProject(path.join(config.rootDir, file)),
          name: `[${projectName}] ${title}`,
          message: beginning(results.find((result) => result.error)?.error?.message ?? 'no error is told'),
        })),
    ),
  ];
}

/**
 * @param {string} what in a word: failed, unsteady
 * @param {Failure} failure
 * @returns {string} for people: where, which test, and the first lines of why
 */
export const failureLines = (what, { file, name, message }) =>
  [`${what}: ${file} › ${name}`, ...message.split('\n').map((line) => `    ${line}`)].join('\n');
