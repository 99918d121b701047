import { join } from 'node:path';
import { test, type Page } from '@playwright/test';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/** Writes screenshots/<host>/<name>-{light,dark}-<width>.png; an ignored folder, to be looked at. */
export async function shot(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      const file = `${name}-${colorScheme}-${size.width}.png`;
      await page.screenshot({
        path: join('screenshots', test.info().project.name, file),
        animations: 'disabled',
      });
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize(before ?? SIZES[0]!);
}
