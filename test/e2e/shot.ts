import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { smallPng } from './small-png.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
/** Also the smallest window that there is. */
export const THREE_SIZES = [{ width: 820, height: 600 }, ...SIZES];

/** With FIELDBENCH_SHOTS=1 writes screenshots/<host>/<name>-{light,dark}-<width>.png; an ignored folder, to be looked at. */
export async function shot(page: Page, name: string, sizes = SIZES): Promise<void> {
  if (process.env['FIELDBENCH_SHOTS'] !== '1') return;
  const before = page.viewportSize();
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const)
      await take(
        page,
        colorScheme,
        join('screenshots', test.info().project.name, `${name}-${colorScheme}-${size.width}.png`),
      );
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize(before ?? sizes.at(-2)!);
}

/** The same; with FIELDBENCH_PICTURES=1 also docs/pictures/<name>.png, which docs/technician.md and the README show. */
export async function picture(page: Page, name: string): Promise<void> {
  await shot(page, name);
  if (process.env['FIELDBENCH_PICTURES'] !== '1') return;
  const folder = join('docs', 'pictures');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), await smallPng(page, await take(page, 'light')));
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Sends away notices of what was done before: they would lie over what a picture is of. */
export async function dismissNotices(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Dismiss' });
  // At once, as one may go by itself meanwhile.
  await buttons.evaluateAll((all) => {
    for (const button of all) if (button instanceof HTMLElement) button.click();
  });
  await expect(buttons).toHaveCount(0);
}

async function take(page: Page, colorScheme: 'light' | 'dark', path?: string): Promise<Buffer> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  return page.screenshot({ ...(path !== undefined && { path }), animations: 'disabled' });
}
