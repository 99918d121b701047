import { describe, expect, test, vi } from 'vitest';
import {
  failureLines,
  failuresOfPlaywright,
  failuresOfVitest,
  type Failure,
} from '../../../scripts/lib/failures.mjs';
import { ROOT } from '../../../scripts/lib/project.mjs';
import { steadily, type Run } from '../../../scripts/lib/suites.mjs';

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

describe('tests that failed', () => {
  const failure = (file: string): Failure => ({ file, name: 'adds', message: 'expected' });
  const run = (passed: number, files: readonly string[]): Run => ({
    code: files.length > 0 ? 1 : 0,
    read: { tally: { passed, failed: files.length, skipped: 0 }, failures: files.map(failure) },
  });
  vi.spyOn(console, 'log').mockImplementation(() => {});

  /** @param rounds what each round comes to */
  async function outcome(...rounds: readonly Run[]) {
    const asked: (readonly string[])[] = [];
    const result = await steadily(async (files) => {
      const round = rounds[asked.length];
      if (!round) throw new Error('nobody expected one more round');
      asked.push(files);
      return round;
    });
    return { asked, ...result };
  }

  test('are run once more alone, and what passes then is counted as passed and named', async () => {
    const { asked, tally, remarks } = await outcome(run(9, ['test/a.test.ts']), run(3, []));
    expect(asked).toEqual([[], ['test/a.test.ts']]);
    expect(tally).toEqual({ passed: 10, failed: 0, skipped: 0 });
    expect(remarks).toEqual(['unsteady, passed alone: test/a.test.ts › adds\n    expected']);
  });

  test('have failed where they fail again, where nothing ran, and where the second round broke', async () => {
    const first = run(9, ['test/a.test.ts']);
    for (const second of [
      run(2, ['test/a.test.ts']),
      run(0, []),
      { ...run(3, []), code: 1 },
      { code: 0, read: null },
    ]) {
      const { tally, remarks } = await outcome(first, second);
      expect(tally).toEqual({ passed: 9, failed: 1, skipped: 0 });
      expect(remarks).toEqual(['failed: test/a.test.ts › adds\n    expected']);
    }
  });

  test('are not run again where many files failed, where none did, and where it was outside any test', async () => {
    const files = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts', 'test/d.test.ts'];
    expect(await outcome(run(9, files))).toMatchObject({ asked: [[]], tally: { passed: 9, failed: 4 } });
    expect(await outcome({ ...run(9, []), code: 1 })).toMatchObject({ asked: [[]], tally: { failed: 1 } });
    expect(await outcome(run(9, ['']))).toMatchObject({ asked: [[]], tally: { failed: 1 } });
  });
});
