import { describe, expect, test } from 'vitest';
import {
  failureLines,
  failuresOfPlaywright,
  failuresOfVitest,
} from '../../../scripts/lib/suites/failures.mjs';
import { ROOT } from '../../../scripts/lib/project.mjs';

describe('what failed, as the end of the output says it', () => {
  test('is taken from Vitest’s report by file and name, without colours and without the tail of a stack', () => {
    const message = `\u001B[31mAssertionError\u001B[39m: expected 1 to be 2\n${'    at somewhere\n'.repeat(20)}`;
    const report = {
      testResults: [
        {
          name: `${ROOT}/test/unit/a.test.ts`,
          status: 'failed',
          assertionResults: [
            { fullName: 'a adds', status: 'failed', failureMessages: [message] },
            { fullName: 'a takes away', status: 'passed' },
          ],
        },
        { name: `${ROOT}/test/b.test.ts`, status: 'failed', message: 'no such module', assertionResults: [] },
        { name: `${ROOT}/test/c.test.ts`, status: 'passed', assertionResults: [] },
      ],
    };
    const [first, ...others] = failuresOfVitest(JSON.stringify(report));
    expect(first).toMatchObject({ file: 'test/unit/a.test.ts', name: 'a adds' });
    expect(first?.message.split('\n')).toHaveLength(6);
    expect(first?.message.split('\n')[0]).toBe('AssertionError: expected 1 to be 2');
    expect(others).toEqual([{ file: 'test/b.test.ts', name: 'does not load', message: 'no such module' }]);
  });

  test('is taken from Playwright’s by host and title, however deep, errors outside any test too', () => {
    const passed = { projectName: 'console', status: 'expected', results: [{ status: 'passed' }] };
    const failed = {
      projectName: 'stand-in',
      status: 'unexpected',
      results: [{ status: 'failed', error: { message: 'not visible' } }],
    };
    // Playwright says of a spec in several projects that it is ok where it is in the first one.
    const spec = (title: string, ...tests: object[]) => ({ title, file: 'keys.spec.ts', ok: true, tests });
    const report = {
      config: { rootDir: `${ROOT}/test/e2e/specs` },
      errors: [{ message: 'a worker ended' }],
      suites: [
        {
          title: 'keys.spec.ts',
          specs: [spec('fine', passed)],
          suites: [{ title: 'group', specs: [spec('deep', passed, failed)] }],
        },
      ],
    };
    expect(failuresOfPlaywright(JSON.stringify(report))).toEqual([
      { file: '', name: 'outside any test', message: 'a worker ended' },
      { file: 'test/e2e/specs/keys.spec.ts', name: '[stand-in] deep', message: 'not visible' },
    ]);
  });

  test('says where, which test, and why', () => {
    expect(
      failureLines('failed', { file: 'test/a.test.ts', name: 'adds', message: 'expected 1\nto be 2' }),
    ).toBe('failed: test/a.test.ts › adds\n    expected 1\n    to be 2');
  });
});
