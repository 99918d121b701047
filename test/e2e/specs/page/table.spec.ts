import { expect, shot, test } from '../../app.ts';
import { violationsIn } from '../../axe.ts';
import { makeDevice, makeProject, store, visitDevice } from '../../steps/steps.ts';

/* The table of a device's records: to a time, with the columns that are wanted, and from a number to the chart. */

const START = Date.UTC(2026, 0, 5, 8);
const RECORDS = 1_000;

/** As the table writes it, in the zone of this machine. Swedes write times so. */
const local = (minute: number, second = 0) =>
  new Date(START + minute * 60_000 + second * 1000).toLocaleString('sv-SE');

test('a time is gone to, columns are chosen, and a number leads to the chart', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(
    api,
    device,
    Array.from({ length: RECORDS }, (_, minute) => ({
      timestamp: new Date(START + minute * 60_000).toISOString(),
      pressure: minute,
      step: minute % 7,
      note: 'ok',
    })),
  );
  await visitDevice(page, device, 'table');
  const table = page.getByRole('table', { name: 'Records' });
  await expect(table).toContainText(local(RECORDS - 1));

  const entry = page.getByRole('textbox', { name: 'Go to a time' });
  await entry.fill('sometime');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Takes a date')).toBeVisible();
  await entry.fill(local(240, 30));
  await page.keyboard.press('Enter');
  // The newest record up to then.
  const looked = table.getByRole('row').and(page.locator('[data-looked]'));
  await expect(looked).toContainText(local(240));
  await expect(looked).toBeInViewport();
  await expect(page.getByText('701–800 of 1,000')).toBeVisible();
  await shot(page, 'table');

  // A copied link leads to the same record.
  await page.reload();
  await expect(looked).toContainText(local(240));

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'note' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(table.getByRole('columnheader')).toHaveText([/^Time/, 'pressure', 'step']);
  await page.reload();
  await expect(table.getByRole('columnheader')).toHaveText([/^Time/, 'pressure', 'step']);
  expect(await violationsIn(page)).toEqual([]);

  await looked.getByRole('button', { name: '240', exact: true }).click();
  await expect(page.getByRole('group', { name: /^Chart of pressure over time/ })).toBeVisible();
  await expect(page).toHaveURL(/keys=pressure&from=2026-01-05T11.*&a=2026-01-05T12/);
  await page.goBack();
  await expect(looked).toBeVisible();
});
