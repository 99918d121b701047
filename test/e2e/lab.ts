import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { createApi, type Api } from './api.ts';
import { appFiles, appFlags, CLI } from './hosts/host.ts';
import { startProgram, type Ready } from './program.ts';
import { visit } from './steps/steps.ts';

/** A service on what stands for another machine: a program of its own, with its own authority. */
export interface Lab {
  readonly ready: Ready;
  readonly api: Api;
  stop(): Promise<void>;
  /** Brings it back, where it was and with what it had, with further flags. */
  start(...flags: readonly string[]): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startLab(): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-lab-'));
  const files = appFiles(folder, 'file');
  const command = [process.execPath, CLI, 'serve', ...appFlags(files)];
  let program = startProgram(command);
  const ready = await program.ready(files.readyFile);
  const ports = [ready.base_url, ready.http_url ?? ''].map((url) => new URL(url).port);
  let runs = true;
  const stop = async () => {
    if (runs) await program.stop();
    runs = false;
  };
  return {
    ready,
    api: createApi(ready),
    stop,
    async start(...flags) {
      const same = ['--port', ports[0] ?? '', '--http-port', ports[1] ?? ''];
      program = startProgram([...command, ...same, ...flags]);
      await program.ready(files.readyFile);
      runs = true;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Adds a lab to Other services, by its authority's file. */
export async function addLab(page: Page, { ready }: Lab, name: string, key = ready.api_key): Promise<void> {
  await visit(page, '#/other-services');
  await page.getByRole('button', { name: 'New service' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a service' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill(ready.base_url);
  await dialog.getByRole('button', { name: 'Show its fingerprint' }).click();
  const picking = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Authority from a file…' }).click();
  await (await picking).setFiles(ready.ca_file ?? '');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'API key' }).fill(key);
  await dialog.getByRole('button', { name: 'Trust it and sign in' }).click();
  await page.getByRole('region', { name: 'Service elsewhere' }).getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Service elsewhere' })).toHaveCount(0);
}
