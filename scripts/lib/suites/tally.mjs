/** @typedef {{ passed: number, failed: number, skipped: number }} Tally tests, or checks that count as one */

/** @type {Tally} */
const NOTHING = { passed: 0, failed: 0, skipped: 0 };
export const PASSED_CHECK = { ...NOTHING, passed: 1 };
export const FAILED_CHECK = { ...NOTHING, failed: 1 };

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export const sum = (tallies) =>
  tallies.reduce(
    (all, one) => ({
      passed: all.passed + one.passed,
      failed: all.failed + one.failed,
      skipped: all.skipped + one.skipped,
    }),
    NOTHING,
  );

/**
 * @param {Tally} tally
 * @returns {string} "12 passed, 0 failed", and the skipped ones where there are any
 */
export const tallyLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * What a step amounts to. Its report is believed about what passed; that all of it went well takes the exit code too,
 * so a crash, a broken test file or a time-out never counts as nothing.
 * @param {{ code: number, report: Tally | null }} result report: null where there is none, so the step counts as one
 * @returns {Tally}
 */
export function tallyStep({ code, report }) {
  if (report === null) return code === 0 ? PASSED_CHECK : FAILED_CHECK;
  return code !== 0 && report.failed === 0 ? { ...report, failed: 1 } : report;
}

/**
 * @typedef {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} VitestReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[] }} PlaywrightReport
 */

/**
 * @param {string} text what Vitest's json reporter wrote
 * @returns {Tally}
 */
export function fromVitest(text) {
  /** @type {VitestReport} */
  const { testResults } = JSON.parse(text);
  return sum(
    testResults.map(({ status, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed').length;
      const passed = assertionResults.filter((test) => test.status === 'passed').length;
      const broken = status === 'failed' && failed === 0; // a file that does not load has no tests to fail
      return { passed, failed: broken ? 1 : failed, skipped: assertionResults.length - passed - failed };
    }),
  );
}

/**
 * @param {string} text what Playwright's json reporter wrote; its errors are those outside any test, such as a spec that does not load
 * @returns {Tally}
 */
export function fromPlaywright(text) {
  /** @type {PlaywrightReport} */
  const { stats, errors } = JSON.parse(text);
  // Playwright itself tries nothing again (playwright.config.ts); steps.mjs does, and says so.
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/**
 * A suite that could not run here says "skipped: why" on a line of its own.
 * @param {string} output
 * @returns {Tally | null}
 */
export const fromSkipLine = (output) => (/^skipped: /m.test(output) ? { ...NOTHING, skipped: 1 } : null);
