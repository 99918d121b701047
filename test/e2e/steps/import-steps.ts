import type { Page } from '@playwright/test';

/* What specs of the import screen share. */

/** A file in the list of them. */
export const file = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Files' }).getByRole('button', { name: new RegExp(`^${name}`) });

/** How a file is read, beside the list. */
export const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Counts what a person does with the mouse from now on. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    addEventListener('pointerdown', () => counted.clicks++, true);
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}
