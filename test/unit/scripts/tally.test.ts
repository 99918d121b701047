import { describe, expect, test } from 'vitest';
import {
  fromPlaywright,
  fromSkipLine,
  fromVitest,
  sum,
  tallyLine,
  tallyStep,
} from '../../../scripts/lib/suites/tally.mjs';

describe('the last line of npm test', () => {
  test('counts what passed and failed, and what was skipped only where something was', () => {
    expect(tallyLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
    expect(tallyLine({ passed: 12, failed: 1, skipped: 2 })).toBe('12 passed, 1 failed, 2 skipped');
  });

  test('adds up the steps', () => {
    const steps = [
      { passed: 3, failed: 0, skipped: 1 },
      { passed: 1, failed: 2, skipped: 0 },
    ];
    expect(sum(steps)).toEqual({ passed: 4, failed: 2, skipped: 1 });
    expect(sum([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});

describe('what a step amounts to', () => {
  test('is one check where nothing is counted', () => {
    expect(tallyStep({ code: 0, report: null })).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(tallyStep({ code: 2, report: null })).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('is a failure when it ended badly, although every test that it reports passed', () => {
    expect(tallyStep({ code: 137, report: { passed: 40, failed: 0, skipped: 0 } })).toEqual({
      passed: 40,
      failed: 1,
      skipped: 0,
    });
  });

  test('counts the tests that failed, not the exit code once more', () => {
    const report = { passed: 40, failed: 3, skipped: 0 };
    expect(tallyStep({ code: 1, report })).toEqual(report);
  });
});

describe("Vitest's report", () => {
  test('counts tests by their own outcome', () => {
    const report = {
      testResults: [
        {
          status: 'passed',
          assertionResults: [{ status: 'passed' }, { status: 'skipped' }, { status: 'todo' }],
        },
        { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
      ],
    };
    expect(fromVitest(JSON.stringify(report))).toEqual({ passed: 2, failed: 1, skipped: 2 });
  });

  test('counts a test file that does not load as a failure', () => {
    const report = { testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(fromVitest(JSON.stringify(report))).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe("Playwright's report", () => {
  test('counts unsteady tests and errors outside any test as failures', () => {
    const report = {
      stats: { expected: 9, unexpected: 1, flaky: 1, skipped: 4 },
      errors: [{ message: 'no spec' }],
    };
    expect(fromPlaywright(JSON.stringify(report))).toEqual({ passed: 9, failed: 3, skipped: 4 });
  });
});

describe('a suite that cannot run here', () => {
  test('counts as skipped only when it says so on a line of its own', () => {
    expect(fromSkipLine('keychain\nskipped: no gnome-keyring-daemon\n')).toEqual({
      passed: 0,
      failed: 0,
      skipped: 1,
    });
    expect(fromSkipLine('3 tests were skipped: see above')).toBeNull();
  });
});
