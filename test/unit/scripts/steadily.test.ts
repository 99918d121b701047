import { describe, expect, test, vi } from 'vitest';
import type { Failure } from '../../../scripts/lib/suites/failures.mjs';
import { steadily, type Run } from '../../../scripts/lib/suites/suites.mjs';

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
    const result = await steadily(
      async (files) => {
        const round = rounds[asked.length];
        if (!round) throw new Error('nobody expected one more round');
        asked.push(files);
        return round;
      },
      (file) => file.includes('random'),
    );
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
    expect(await outcome({ ...run(9, []), code: 1 })).toMatchObject({
      asked: [[]],
      tally: { failed: 1 },
      remarks: ['ended with 1, though no test failed'],
    });
    expect(await outcome(run(9, ['']))).toMatchObject({ asked: [[]], tally: { failed: 1 } });
  });

  test('have failed at once where they have chance, while those beside them without it are run again', async () => {
    const random = ['test/random.test.ts'];
    expect(await outcome(run(9, random))).toMatchObject({ asked: [[]], tally: { passed: 9, failed: 1 } });
    const { asked, tally, remarks } = await outcome(run(9, ['test/a.test.ts', ...random]), run(3, []));
    expect(asked).toEqual([[], ['test/a.test.ts']]);
    expect(tally).toEqual({ passed: 10, failed: 1, skipped: 0 });
    expect(remarks).toEqual([
      'unsteady, passed alone: test/a.test.ts › adds\n    expected',
      'failed: test/random.test.ts › adds\n    expected',
    ]);
  });
});
