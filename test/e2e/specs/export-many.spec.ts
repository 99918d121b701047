import { readFile } from 'node:fs/promises';
import type { Download } from '@playwright/test';
import { expect, shot, test } from '../app.ts';
import { makeDevice, makeProject, store, visit } from '../steps/steps.ts';

/* Several devices at once, each as a file of its own, with the choices that one device has. */

test('the ticked devices are exported: of a span, of chosen keys, as one asks for', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Line 2');
  const now = Date.now();
  const at = (minutesAgo: number) => new Date(now - minutesAgo * 60_000).toISOString();
  for (const name of ['Oven', 'Press']) {
    const device = await makeDevice(api, project_id, name);
    await store(api, device, [
      { timestamp: at(60 * 24 * 3), bar: 1.5, spare: 0 },
      { timestamp: at(60), bar: 2.5, spare: 0 },
      { timestamp: at(30), spare: 0 },
    ]);
  }
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page
    .getByRole('region', { name: 'Selected devices' })
    .getByRole('button', { name: 'Export…' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Export 2 devices' });
  await expect(dialog).toContainText('6 records, everything of each device, in 2 files');
  await dialog.getByText('Last 24 hours').click();
  await dialog.getByRole('combobox', { name: 'Keys' }).fill('bar');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await dialog.getByText('Semicolon').click();
  await dialog.getByText('1,5', { exact: true }).click();
  await expect(dialog).toContainText('Last 24 hours of each device in 2 files');
  await shot(page, 'export-many');
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByText('2 devices exported')).toBeVisible();
  await expect.poll(() => downloads.length).toBe(2);
  for (const download of downloads) {
    expect(download.suggestedFilename()).toMatch(/^(Oven|Press)_\d{4}-\d\d-\d\d(_\d{4}-\d\d-\d\d)?\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toEqual(['timestamp;"bar"', expect.stringMatching(/Z;2,5$/)]);
  }
});

test('several devices as one workbook, a sheet of each', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Line 3');
  for (const name of ['Oven', 'Press'])
    await store(api, await makeDevice(api, project_id, name), [
      { timestamp: '2026-03-02T20:30:21Z', bar: 1.5 },
    ]);
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page
    .getByRole('region', { name: 'Selected devices' })
    .getByRole('button', { name: 'Export…' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Export 2 devices' });
  await dialog.getByText('Excel', { exact: true }).click();
  await expect(dialog).toContainText('2 records, everything of each device, in 1 file, a sheet each.');
  await expect(dialog.getByText('Separator')).toBeHidden();
  await shot(page, 'export-workbook');
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('Line 3_2026-03-02.xlsx');
  // As zip files begin.
  expect((await readFile(await download.path())).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
});
