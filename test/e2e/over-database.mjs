/*
 * npm run test:lab:e2e [-- what Playwright takes]: the specs of the console over a database (database.ts). With
 * FIELDBENCH_TEST_SERVICES=3 three services share it. Build first; what needs a data folder is skipped, and says why.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const playwright = join(root, 'node_modules/@playwright/test/cli.js');
const { status, error } = spawnSync(
  process.execPath,
  [playwright, 'test', '--project=console', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, FIELDBENCH_TEST_DATABASE: '1' } },
);
if (error) throw error;
process.exitCode = status ?? 1;
