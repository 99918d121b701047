import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** npm run test:headless: makes the package for rigs, twice, and runs what is in it. Not of npm test: it takes a minute. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    globalSetup: 'test/helpers/postgres/shared-postgres.ts',
    include: ['test/headless/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
