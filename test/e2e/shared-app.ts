import { expect, type Dialog, type Page } from '@playwright/test';
import { createApi, type Api } from './api.ts';
import type { AppFiles, RunningApp } from './hosts/host.ts';
import { expectDone } from './steps/steps.ts';

/** What the page writes to its console, and throws. */
export interface PageErrors {
  readonly seen: string[];
  readonly expected: RegExp[];
}

/** An app that several specs have, one after another. */
export interface SharedApp {
  readonly files: AppFiles;
  readonly app: RunningApp;
  /** What the browser remembered as it opened, its way in among it. */
  readonly atFirst: Readonly<Record<string, string>>;
  /** Those of the spec that has it now. */
  readonly errors: { current: PageErrors };
}

export const noErrors = (): PageErrors => ({ seen: [], expected: [] });

/** Gathers what a page reports, in what is asked for at that moment. */
export function listen(page: Page, errors: () => PageErrors): void {
  page.on('console', (message) => {
    if (message.type() === 'error') errors().seen.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => void errors().seen.push(error.stack ?? error.message));
}

const WINDOW = { width: 1280, height: 800 };

/** Makes an app that a spec has left as one just started: an empty store, nothing remembered, no listener, the first screen. */
export async function emptyApp(shared: SharedApp): Promise<void> {
  const { page, ready } = shared.app;
  page.removeAllListeners('dialog');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await emptyStore(createApi(ready));
  await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null, media: null });
  await page.setViewportSize(WINDOW);
  // A form that is half filled would ask; the store, which a reload reads, is emptied before.
  const leave = (dialog: Dialog) => void dialog.accept();
  page.on('dialog', leave);
  await forget(shared);
  page.off('dialog', leave);
}

/** What the browser remembers of a service. */
export const remembered = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(() => Object.fromEntries(Object.entries(localStorage)));

async function forget({ app: { page }, atFirst }: SharedApp): Promise<void> {
  await page.evaluate((entries) => {
    localStorage.clear();
    sessionStorage.clear();
    for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value);
    history.replaceState(null, '', location.pathname);
  }, atFirst);
  await page.reload();
}

/** Of what specs that share an app make; those that make more have one of their own. */
const MADE = ['/v2/projects', '/_local/v1/undo', '/_local/v1/views'];

async function emptyStore(api: Api): Promise<void> {
  for (const path of MADE)
    for (let ids = await idsIn(api, path); ids.length > 0; ids = await idsIn(api, path))
      // An undo of a device goes with that of its project.
      for (const id of ids) expect([200, 404]).toContain((await api('DELETE', `${path}/${id}`)).status);
}

/** The ids of a list, or of its first page. */
async function idsIn(api: Api, path: string): Promise<readonly string[]> {
  const { data } = await expectDone(api('GET', path));
  return (data as { readonly id: string }[]).map(({ id }) => id);
}
