import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longest-first.ts';

const shared = globSync(['test/unit/**/*.test.{ts,tsx}', 'test/contract/**/*.test.ts']);
/** Test files that replace modules, which others would import then, or look at objects, globals and memory, of which others leave some. */
const apart = shared.filter((file) =>
  /\bvi\.(mock|doMock|resetModules)\(|queryObjects|globalHolders|memoryUsage\(/.test(
    readFileSync(file, 'utf8'),
  ),
);

export default defineConfig({
  test: {
    globalSetup: 'test/helpers/postgres/shared-postgres.ts',
    setupFiles: ['test/helpers/property-limits.ts', 'test/helpers/leave-as-found.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What comes at last ends a wait at once: test/helpers/patiently.ts.
    expect: { poll: { timeout: 20_000 } },
    // On two cores: a test that starts processes waits for half of its time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        // A third of the time of most files is to load what they test: a worker loads it once for all of them. A database is of
        // one file (test/helpers/postgres/database-of-tests.ts).
        test: {
          name: 'one worker',
          isolate: process.env['FIELDBENCH_TEST_DATABASE'] === '1',
          include: shared,
          exclude: apart,
        },
      },
      {
        extends: true,
        test: {
          name: 'a worker each',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [
            ...shared.filter((file) => !apart.includes(file)),
            'test/keychain/**',
            'test/headless/**',
            'test/packaging/**',
            'test/e2e/**',
            'node_modules/**',
          ],
        },
      },
    ],
  },
});
