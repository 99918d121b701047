import { expect, type Page } from '@playwright/test';
import type { Permission } from '#shared/schema/schemas.ts';
import type { Lab } from '../lab.ts';
import { visit } from './steps.ts';

/* Services elsewhere, from here. */

/** The line that says which service elsewhere is looked at. */
export const line = (page: Page) => page.getByRole('region', { name: 'Service elsewhere' });

/** A key of a service elsewhere. */
export async function issueKey({ api }: Lab, permissions: readonly Permission[]): Promise<string> {
  const { data } = await api('POST', '/_local/v1/keys', { body: { name: 'afar', permissions } });
  return (data as { api_key: string }).api_key;
}

/** Adds a service over its plain door, and ends on its first screen. */
export async function addPlain(
  page: Page,
  { ready }: Lab,
  { key = ready.api_key, name = 'Lab', readOnly = false } = {},
): Promise<void> {
  await visit(page, '#/other-services');
  await page
    .getByRole('button', { name: /^(New service|Add the first service)$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Add a service' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill(ready.http_url ?? ready.base_url);
  await dialog.getByRole('button', { name: 'Show its fingerprint' }).click();
  await expect(dialog).toContainText('never leaves this machine');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'API key' }).fill(key);
  if (readOnly) await dialog.getByRole('switch', { name: 'Read-only' }).check();
  await dialog.getByRole('button', { name: 'Trust it and sign in' }).click();
  await expect(line(page)).toContainText(name);
  await expect(page.getByRole('status', { name: 'Connected to the service' })).toBeVisible();
}
