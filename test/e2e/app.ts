/* oxlint-disable no-empty-pattern -- Playwright reads what a fixture needs from its pattern */
/*
 * How to write a spec: put `specs/<topic>.spec.ts` beside the others and
 *
 *     import { expect, shot, test } from '../app.ts';
 *     test('a project can be made', async ({ page, api, dataDirectory, host }) => { … });
 *
 * Every test gets an app of its own, just started over an empty folder, in each of four hosts: the browser console, the built
 * main and preload on the electron stand-in, Electron itself where its runtime is, and what was installed where
 * FIELDBENCH_INSTALLED names its program.
 *   page           the app's window. An error on its console, a refused resource (content security policy) or an
 *                  uncaught exception fails the test at its end; `expectPageErrors` says which are part of the story.
 *   api            requests to /v2, /_local and /integrations with a key that may do everything, to any service of the app.
 *   own            the same to the service whose window `page` is, for what each service has for itself (docs/lab.md).
 *   dataDirectory  where this app keeps its files.
 *   vault          an option: `test.use({ vault: 'file' })` keeps the app's secrets in files, not in memory.
 *   rig            an option: `test.use({ rig: '--clock frozen --seed 1' })` starts the service with these flags.
 *   inMemory       an option: `test.use({ inMemory: true })` starts it with `--in-memory`, in the console alone.
 *   host           'console', 'stand-in', 'electron' or 'installed'; a spec should not need it.
 * A saved file, in any host, is a `download` of the page, without a dialog (hosts/desktop.ts).
 * Specs of `specs/page/` share one app a worker in the console, which each of them gets emptied (shared-app.ts). What changes
 * more of it than projects, devices, records, views and what the browser remembers, or answers its socket, has `test.use({ apart: true })`.
 * `await shot(page, 'devices')` writes light and dark pictures in two sizes to screenshots/<host>/, with FIELDBENCH_SHOTS=1.
 * Run: `npm run build`, then `npx playwright test [--project=console] [-g words]`. Find things by role and name, wait
 * with `expect(…)` that retries, and never for a number of milliseconds. Recordings: `recording('name.csv')`.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, chromium, type Browser, type Page } from '@playwright/test';
import { createApi, type Api } from './api.ts';
import { startPostgres, type Postgres } from '../helpers/postgres/postgres.ts';
import { chromiumPath, sandboxFlags, STILL } from './chromium.ts';
import { inFolder, storeFlags } from './database.ts';
import { startConsole } from './hosts/console.ts';
import { removeProfiles } from './hosts/desktop.ts';
import { startElectron } from './hosts/electron.ts';
import { INSTALLED, startInstalled } from './hosts/installed.ts';
import {
  appFiles,
  type AppFiles,
  type HostName,
  type RunningApp,
  type StartApp,
  type Vault,
} from './hosts/host.ts';
import { startStandIn } from './hosts/stand-in.ts';
import { emptyApp, listen, noErrors, remembered, type PageErrors, type SharedApp } from './shared-app.ts';

export { expect } from '@playwright/test';
export { dismissNotices, picture, shot } from './shot.ts';

export { inFolder } from './database.ts';

const hosts: Record<HostName, StartApp> = {
  console: startConsole,
  'stand-in': startStandIn,
  electron: startElectron,
  installed: startInstalled(INSTALLED),
};

export interface HostOption {
  readonly host: HostName;
  readonly vault: Vault;
  readonly rig: string;
  readonly inMemory: boolean;
  readonly apart: boolean;
}

interface Fixtures {
  readonly page: Page;
  readonly api: Api;
  readonly own: Api;
  readonly dataDirectory: string;
  /** Page errors that match are part of what the spec shows. */
  readonly expectPageErrors: (pattern: RegExp) => void;
  /** Behind the others. */
  readonly files: AppFiles;
  readonly pageErrors: PageErrors;
  /** The app of the worker where this spec shares it. */
  readonly shared: SharedApp | null;
  /** `stop` ends the app before the test does. */
  readonly app: RunningApp & { stop(): Promise<void> };
}

interface OfWorker {
  readonly browserOfWorker: () => Promise<Browser>;
  /** Where apps keep everything in one (database.ts). */
  readonly databaseOfWorker: () => Promise<Postgres>;
  readonly appOfWorker: () => Promise<SharedApp>;
}

export const test = base.extend<HostOption & Fixtures, OfWorker>({
  host: ['console', { option: true }],
  vault: ['memory', { option: true }],
  rig: ['', { option: true }],
  inMemory: [false, { option: true }],
  apart: [false, { option: true }],

  // Every test has a profile of its own in it.
  browserOfWorker: [
    async ({}, use) => {
      const launched: Promise<Browser>[] = [];
      const options = { executablePath: chromiumPath(), args: [...sandboxFlags, STILL] };
      await use(() => (launched[0] ??= chromium.launch(options)));
      for (const browser of launched) await (await browser).close();
    },
    { scope: 'worker' },
  ],

  databaseOfWorker: [
    async ({}, use) => {
      const running: Promise<Postgres>[] = [];
      await use(() => (running[0] ??= startPostgres()));
      for (const postgres of running) await (await postgres).stop();
    },
    { scope: 'worker' },
  ],

  appOfWorker: [
    async ({ browserOfWorker: browser }, use) => {
      await using started = new AsyncDisposableStack();
      const running: Promise<SharedApp>[] = [];
      const start = async () => {
        const files = appFiles(await folderUntil(started));
        const errors = { current: noErrors() };
        const watch = (page: Page) => listen(page, () => errors.current);
        const app = await startConsole({ files, watch, started, browser });
        return { files, errors, app, atFirst: await remembered(app.page) };
      };
      await use(() => (running[0] ??= start()));
    },
    { scope: 'worker' },
  ],

  shared: async ({ host, vault, rig, inMemory, apart, appOfWorker }, use, { file }) => {
    const isOfThePage = file.includes(join('specs', 'page'));
    const isUsual = vault === 'memory' && rig === '' && !inMemory && inFolder;
    const isShared = isOfThePage && !apart && host === 'console' && isUsual;
    await use(isShared ? await appOfWorker() : null);
  },

  files: async ({ vault, rig, inMemory, shared, databaseOfWorker: postgres }, use) => {
    if (shared) return use(shared.files);
    await using ended = new AsyncDisposableStack();
    const folder = await folderUntil(ended);
    const store = inFolder ? [] : await storeFlags(await postgres(), folder);
    const files = appFiles(folder, vault, store, rig, inMemory);
    // An app that is stopped and started again finds them.
    ended.defer(() => removeProfiles(files));
    await use(files);
  },

  pageErrors: async ({}, use) => {
    const errors = noErrors();
    await use(errors);
    const unexpected = errors.seen.filter((text) => !errors.expected.some((pattern) => pattern.test(text)));
    if (unexpected.length > 0) throw new Error(`The page reported errors:\n${unexpected.join('\n')}`);
  },

  app: async ({ host, files, shared, pageErrors, browserOfWorker: browser }, use) => {
    await using started = new AsyncDisposableStack();
    if (shared) {
      await emptyApp(shared);
      shared.errors.current = pageErrors;
      return use({
        ...shared.app,
        stop: () => Promise.reject(new Error('Others have this app after it: test.use({ apart: true }).')),
      });
    }
    const watch = (page: Page) => listen(page, () => pageErrors);
    const app = await hosts[host]({ files, watch, started, browser });
    await use({ ...app, stop: () => started.disposeAsync() });
  },

  page: ({ app }, use) => use(app.page),
  api: ({ app }, use) => use(createApi(app.ready, ...(app.others ?? []))),
  own: ({ app }, use) => use(createApi(app.ready)),
  dataDirectory: ({ files }, use) => use(files.dataDirectory),
  expectPageErrors: ({ pageErrors }, use) => use((pattern) => void pageErrors.expected.push(pattern)),
});

/** A fresh folder, gone when the stack is left. */
async function folderUntil(ended: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-e2e-'));
  // A browser that was killed may still be writing to its profile.
  ended.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** A real recording beside the project. Skips the test, visibly, where the recordings are not. */
export function recording(name: string): string {
  const file = resolve('../shared/data', name);
  test.skip(!existsSync(file), `no recording ${name} in ../shared/data`);
  return file;
}
