import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Started by run.mjs, inside a session with a keyring of its own. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/keychain/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
