import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, test } from '../../../app.ts';
import { expectDone, makeProject, visit } from '../../../steps/steps.ts';

/* Rows of the list of a project, as a search exchanges them. */

const list = (page: Page) => page.getByRole('table', { name: 'Devices' });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search devices' });

async function makeSensors(api: Api, project_id: string, count: number): Promise<string[]> {
  const devices = Array.from({ length: count }, (_, n) => ({
    name: `Sensor ${n + 1}`,
    tags: [`line-${'abcd'[n % 4]}`],
  }));
  const { data } = await expectDone(
    api('POST', `/_local/v1/projects/${project_id}/devices`, { body: { devices } }),
  );
  return (data as { id: string }[]).map(({ id }) => id);
}

test('rows that are found take the elements of those that are not, and are whole', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  const ids = await makeSensors(api, project_id, 60);
  await visit(page, `#/projects/${project_id}`);
  await expect(list(page).getByRole('link').first()).toHaveText('Sensor 1');
  const rows = list(page).locator('[data-row]');
  await rows.evaluateAll((all) => {
    for (const row of all) row.setAttribute('data-before', '');
  });
  await search(page).fill('sensor 3');
  await expect(list(page).getByRole('link')).toHaveText(
    Array.from({ length: 60 }, (_, n) => `Sensor ${n + 1}`).filter((name) => name.includes('3')),
  );
  await expect(list(page).locator('[data-row]:not([data-before])')).toHaveCount(0);
  const found = list(page).getByRole('row', { name: 'Sensor 34' });
  await expect(found.getByRole('link')).toHaveAttribute('href', new RegExp(`/devices/${ids[33]}`));
  await expect(found).toContainText('line-b');
  await found.getByRole('checkbox', { name: 'Select Sensor 34' }).click();
  await expect(found).toHaveAttribute('aria-selected', 'true');
  await found.getByRole('button', { name: 'Actions for Sensor 34' }).click();
  await expect(page.getByRole('menuitem', { name: 'Edit device…' })).toBeVisible();
  await page.keyboard.press('Escape');

  // What is ticked stays ticked, wherever its row stands, and nothing else is.
  await search(page).fill('');
  await expect(list(page).getByRole('link').first()).toHaveText('Sensor 1');
  await expect(list(page).locator('[aria-selected=true]')).toHaveCount(0);
  await search(page).fill('34');
  await expect(list(page).locator('[aria-selected=true]').getByRole('link')).toHaveText('Sensor 34');
});

test('a row that goes while it has the focus gives that to no other device', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  const [first = ''] = await makeSensors(api, project_id, 60);
  await visit(page, `#/projects/${project_id}`);
  const link = list(page).getByRole('link', { name: 'Sensor 1', exact: true });
  await link.focus();
  await expectDone(api('DELETE', `/v2/projects/${project_id}/devices/${first}`));
  await expect(list(page).getByRole('link').first()).toHaveText('Sensor 2');
  await expect(list(page).locator('a:focus')).toHaveCount(0);
});
