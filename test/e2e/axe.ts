import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

type Rules = Parameters<AxeBuilder['options']>[0];

/** WCAG 2.1 A and AA; an empty header is no rule of its own, but a column that has no name to be heard is none. */
export const WCAG: Rules = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] },
  rules: { 'empty-table-header': { enabled: true } },
};

/** Themes differ in colours alone: the other rules would say of the second what they said of the first. */
export const WCAG_OF_COLOUR: Rules = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/** A script in place of axe's own, which would be read anew for each look. */
const NOTHING = 'undefined';

/** The rules that what the page shows breaks, and where. */
export async function violationsIn(
  page: Page,
  rules: Rules = WCAG,
): Promise<readonly { readonly id: string; readonly where: readonly string[] }[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: NOTHING }) })
    .options({ ...rules, resultTypes: ['violations'] })
    // Axe's own way opens a page of its own, which the desktop app does not let happen.
    .setLegacyMode();
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }));
}

/** Shows the page in a theme. */
export async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}
