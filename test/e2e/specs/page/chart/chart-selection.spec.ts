import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, shot, test } from '../../../app.ts';
import { drag, expectWindow, moveTo, reading, showReadings, viewOf } from '../../../steps/chart-steps.ts';
import { expectChart, store, visit, visitDevice } from '../../../steps/steps.ts';

/* A span is selected, and then something is done with it. */

const RECORDS = 1_000;

/** Selects the second quarter of the records; returns the dialog that deletes it. */
async function deleteQuarter(page: Page): Promise<Locator> {
  await drag(page, 0.25, 0.5);
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await bar.getByRole('button', { name: /^Delete 2\d\d…$/ }).click();
  return page.getByRole('dialog');
}

test('a span is selected by dragging, counted, moved by its edges, and let go', async ({ page, api }) => {
  await showReadings(page, api, RECORDS);
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await drag(page, 0.25, 0.5);
  await expect(bar).toContainText(/2026-01-05 \d\d:0\d:\d\d.* – .*UTC.*4 min \d+ s/);
  await expect(bar).toContainText(/2(49|50|51) records/);
  await shot(page, 'chart-selection');
  // It is selected, not looked at.
  expect((await viewOf(page)).x).toEqual([0, RECORDS - 1]);

  const end = page.getByRole('slider', { name: 'End of the selection' });
  const before = Number(/(\d+) records/.exec(await bar.innerText())?.[1]);
  await end.focus();
  // Faster than the service tells where the next record is.
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight');
  await expect(end).toBeFocused();
  await expect(bar).toContainText(new RegExp(`(${before + 2}|${before + 3}) records`));
  // To the first record of the selection, if it is not there, and then to the next one.
  const beginning = page.getByRole('slider', { name: 'Beginning of the selection' });
  await beginning.press('ArrowRight');
  await beginning.press('ArrowRight');
  await expect(bar).toContainText(new RegExp(`(${before + 1}|${before + 2}) records`));

  const edge = await end.boundingBox();
  const plot = await page.locator('.u-over').boundingBox();
  if (!edge || !plot) throw new Error('There is no selection.');
  await page.mouse.move(edge.x + edge.width / 2, plot.y + plot.height - 20);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.75, plot.y + plot.height - 20, { steps: 4 });
  await page.mouse.up();
  await expect(bar).toContainText(/(49\d|50\d) records/);

  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await drag(page, 0.5, 0.25);
  await expect(bar).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(bar).toHaveCount(0);
  await expectWindow(page, 250, 500);
});

test('a span ends where the pointer is, also above or below the plot, and with the plot beside it', async ({
  page,
  api,
}) => {
  await showReadings(page, api, RECORDS);
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  const plot = await page.locator('.u-over').first().boundingBox();
  if (!plot) throw new Error('There is no plot.');
  const { x, y, width, height } = plot;
  for (const [left, top, records] of [
    [x + width * 0.5, y + height + 40, /2(49|50|51) records/],
    [x + width * 0.5, y - 40, /2(49|50|51) records/],
    [x + width + 30, y + height + 40, /7(49|50|51) records/],
    [x - 60, y + height / 2, /2(49|50|51) records/],
  ] as const) {
    await moveTo(page, 0.25);
    await page.mouse.down();
    await page.mouse.move(left, top, { steps: 8 });
    await page.mouse.up();
    await expect(bar).toContainText(records);
    await page.keyboard.press('Escape');
    await expect(bar).toHaveCount(0);
  }
});

test('what is selected is removed, after it was said how much that is', async ({ page, api }) => {
  await showReadings(page, api, RECORDS);
  const dialog = await deleteQuarter(page);
  await expect(dialog).toContainText(/Delete 2\d\d records of “Press”\?/);
  await expect(dialog).toContainText('All keys of these records go.');
  await shot(page, 'chart-delete-records');
  const count = Number(/Delete (\d+) records of/.exec(await dialog.innerText())?.[1]);
  await dialog.getByRole('checkbox', { name: 'Leave a note there' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue(`${count} records removed`);
  await dialog.getByRole('button', { name: /^Delete 2\d\d records$/ }).click();
  await expect(dialog).toHaveCount(0);
  await expectChart(page, RECORDS - count);
  // The selection went with its button: keys move the chart on.
  await expect(page.getByRole('group', { name: /^Chart of / })).toBeFocused();
  await page.getByRole('tab', { name: 'Notes' }).click();
  const notes = page.getByRole('table', { name: 'Notes' });
  await expect(notes).toContainText(`${count} records removed`);
  // Once they are back nothing was removed.
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('No notes')).toBeVisible();
});

test('what is selected is deleted as it was counted: one more that comes meanwhile is shown first', async ({
  page,
  api,
}) => {
  const device = await showReadings(page, api, RECORDS);
  const dialog = await deleteQuarter(page);
  await expect(dialog).toContainText(/Delete 2\d\d records of “Press”\?/);
  const count = Number(/Delete (\d+) records of/.exec(await dialog.innerText())?.[1]);
  await dialog.getByRole('checkbox', { name: 'Leave a note there' }).click();
  await store(api, device, [reading(300)]);
  await dialog.getByRole('button', { name: `Delete ${count} records` }).click();
  const more = `${count + 1} records`;
  await expect(dialog.getByRole('alert')).toContainText(`There are ${more} by now. Nothing was deleted.`);
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue(`${more} removed`);
  await dialog.getByRole('button', { name: `Delete ${more}` }).click();
  await expect(page.getByText(`${more} of “Press” deleted`)).toBeVisible();
});

test('a note that records were removed goes when they are restored from the list of deletes', async ({
  page,
  api,
}) => {
  const device = await showReadings(page, api, RECORDS);
  const dialog = await deleteQuarter(page);
  await dialog.getByRole('checkbox', { name: 'Leave a note there' }).click();
  await dialog.getByRole('button', { name: /^Delete 2\d\d records$/ }).click();
  await expect(dialog).toHaveCount(0);
  await visitDevice(page, device, 'notes');
  await expect(page.getByRole('table', { name: 'Notes' })).toContainText('records removed');
  await visit(page, '#/deleted');
  await page.getByRole('button', { name: /^Restore/ }).click();
  await expect(page.getByText('Nothing was deleted lately')).toBeVisible();
  await visitDevice(page, device, 'notes');
  await expect(page.getByText('No notes')).toBeVisible();
});

test('what is selected is exported, and its times are copied', async ({ page, api }) => {
  await showReadings(page, api, RECORDS);
  await drag(page, 0.25, 0.5);
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await expect(bar).toContainText(/\d+ records/);
  const count = Number(/(\d+) records/.exec(await bar.innerText())?.[1]);
  await bar.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Export/ });
  await expect(dialog).toBeVisible();
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const text = await readFile(await (await saved).path(), 'utf8');
  expect(text.trim().split('\n')).toHaveLength(count + 1);
});

test('a span is selected by keys alone', async ({ page, api }) => {
  await showReadings(page, api, RECORDS);
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('End');
  for (let n = 0; n < 4; n++) await page.keyboard.press('Shift+ArrowLeft');
  await expect(bar).toContainText('5 records');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('dialog')).toContainText('Delete 5 records of “Press”?');
  await page.keyboard.press('Escape');
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
});
