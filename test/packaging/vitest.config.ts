import { defineConfig } from 'vitest/config';

/** npm run test:package: what is made to install from, run as whoever installs it would. Minutes; `npm test` has the rest. */
export default defineConfig({
  test: {
    include: ['test/packaging/*.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    fileParallelism: false,
  },
});
