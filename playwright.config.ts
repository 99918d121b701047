import { defineConfig } from '@playwright/test';
import type { HostOption } from './test/e2e/app.ts';
import { whyNoElectron } from './test/e2e/hosts/electron.ts';
import type { HostName } from './test/e2e/hosts/host.ts';

const hosts: HostName[] = ['console', 'stand-in'];
const whyNot = whyNoElectron();
if (whyNot === null) hosts.push('electron');
// Workers read this file too; one line is enough.
else if (process.env['TEST_WORKER_INDEX'] === undefined) console.log(`electron: skipped — ${whyNot}`);

/** The same specs in every host the app has (test/e2e/app.ts says how to write one). */
export default defineConfig<HostOption>({
  testDir: 'test/e2e/specs',
  outputDir: 'test-results',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: 'list',
  use: { screenshot: 'only-on-failure' },
  // What only a desktop app does is in shell/.
  projects: hosts.map((host) => ({
    name: host,
    use: { host },
    testIgnore: host === 'console' ? '**/shell/**' : [],
  })),
});
