import type { Page } from '@playwright/test';
import { expect, shot } from './app.ts';
import { showTheme, violationsIn, WCAG, WCAG_OF_COLOUR } from './axe.ts';
import { openAction } from './steps/steps.ts';

/** Ten hours of a press, a reading a minute. */
export const READINGS = Array.from({ length: 600 }, (_, minute) => ({
  timestamp: new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString(),
  oil_temperature: 40 + 12 * Math.sin(minute / 60) + (minute % 7) / 10,
  pressure: 180 + 25 * Math.cos(minute / 25),
  strokes: minute * 11,
  state: minute % 90 < 80 ? 'running' : 'idle',
}));

/** Takes the pictures of what the page shows and checks it. */
export async function look(page: Page, name: string, sizes?: Parameters<typeof shot>[2]): Promise<void> {
  await shot(page, name, sizes);
  for (const colorScheme of ['light', 'dark'] as const) await check(page, name, colorScheme);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Checks what the page shows in one theme. */
export async function check(page: Page, name: string, colorScheme: 'light' | 'dark'): Promise<void> {
  await showTheme(page, colorScheme);
  const found = await violationsIn(page, colorScheme === 'light' ? WCAG : WCAG_OF_COLOUR);
  expect.soft(found, `${name} in the ${colorScheme} theme`).toEqual([]);
}

/** Opens a dialog by its button, looks at it and closes it. */
export async function lookAtDialog(page: Page, button: string, name: string): Promise<void> {
  const isShown = await page.getByRole('button', { name: button, exact: true }).isVisible();
  if (isShown) await page.getByRole('button', { name: button, exact: true }).click();
  else await openAction(page, button);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  // What a delete would take is read first.
  if (/^(Purge|Delete)/.test(button)) await expect(dialog.getByRole('table')).toBeVisible();
  await look(page, name);
  // The first one closes a list that stands open.
  if (await page.getByRole('listbox').isVisible()) await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}
