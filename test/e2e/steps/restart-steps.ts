import { existsSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect } from '../app.ts';
import type { AppFiles, RunningApp } from '../hosts/host.ts';
import { startProgram, type Program } from '../program.ts';

/* A service that ends and comes back below a page of the console, which outlives it. */

/** Stops the service and waits until the window knows. */
export async function stopService(page: Page, { ready }: RunningApp): Promise<void> {
  // What a start does without comes a moment later; from then on the app is whole without the service.
  await page.locator('html[data-whole]').waitFor({ state: 'attached' });
  process.kill(ready.pid, 'SIGTERM');
  await expect(page.getByRole('status', { name: /lost/ })).toBeVisible();
}

/** Runs it again where it was, once it has ended: until then its ready file is the one that is there. */
export async function runAgain({ ready, command }: RunningApp, { readyFile }: AppFiles) {
  await expect.poll(() => existsSync(readyFile)).toBe(false);
  const ports = [new URL(ready.base_url).port, new URL(ready.http_url ?? '').port];
  const again = startProgram([...command, '--port', ports[0] ?? '', '--http-port', ports[1] ?? '']);
  return { again, back: await again.ready(readyFile) };
}

/** Starts it again where it was; the window comes back by itself. */
export async function startAgain(page: Page, app: RunningApp, files: AppFiles): Promise<Program> {
  const { again } = await runAgain(app, files);
  await expect(page.getByRole('status', { name: 'Connected to the service' })).toBeVisible();
  return again;
}
