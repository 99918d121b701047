import { defineConfig } from '@playwright/test';
import type { HostOption } from './test/e2e/app.ts';
import { whyNoElectron } from './test/e2e/hosts/electron.ts';
import type { HostName } from './test/e2e/hosts/host.ts';
import { whyNoInstalled } from './test/e2e/hosts/installed.ts';

const hosts: HostName[] = ['console', 'stand-in'];
for (const [host, whyNot] of [
  ['electron', whyNoElectron()],
  ['installed', whyNoInstalled()],
] as const) {
  if (whyNot === null) hosts.push(host);
  // Workers read this file too; one line is enough.
  else if (process.env['TEST_WORKER_INDEX'] === undefined) console.log(`${host}: skipped — ${whyNot}`);
}

/**
 * Of the page and the service alone, which are the same in every host: pixels, figures, and what main and preload do nothing about but
 * to pass messages on. On the stand-in, whose browser is that of the console, they would be run twice; FIELDBENCH_ALL_SPECS=1 does so.
 */
const OF_THE_PAGE = '**/specs/page/**';

function left(host: HostName): string[] {
  // What only a desktop app does is in shell/.
  if (host === 'console') return ['**/shell/**'];
  return host === 'stand-in' && process.env['FIELDBENCH_ALL_SPECS'] !== '1' ? [OF_THE_PAGE] : [];
}

/** The same specs in every host the app has (test/e2e/app.ts says how to write one). */
export default defineConfig<HostOption>({
  testDir: 'test/e2e/specs',
  outputDir: 'test-results',
  // The longest take a minute and a half on a machine that has other things to do.
  timeout: 240_000,
  expect: { timeout: 15_000 },
  // One more than cores: a spec waits some of its time.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  reporter: 'list',
  // Who waits for what never comes says so before the test's own time is over.
  use: { screenshot: 'only-on-failure', actionTimeout: 60_000 },
  projects: hosts.map((host) => ({
    name: host,
    use: { host },
    testIgnore: left(host),
  })),
});
