import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/keychain/**', 'test/e2e/**', 'node_modules/**'],
    setupFiles: ['test/helpers/property-limits.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What comes at last ends a wait at once: test/helpers/patiently.ts.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
  },
});
