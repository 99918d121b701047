import type { Api } from '../../api.ts';
import { expect, test } from '../../app.ts';
import { look } from '../../look.ts';
import { makeRule } from '../../steps/rule-steps.ts';
import { makeDevice, makeProject, store, visit, visitDevice, type MadeDevice } from '../../steps/steps.ts';

/* As many rules as a project holds (docs/functions.md, "Limits of rules"). */

const MOST = 200;
const AT_ONCE = 20;

const addRule = (api: Api, device: MadeDevice, n: number) =>
  makeRule(api, device, `Rule ${n}`, { when: { key: 'supply', above: 100 + n } }, { enabled: false });

async function addRules(api: Api, device: MadeDevice, count: number): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => addRule(api, device, from + at)),
    );
}

test('a project with 200 rules says so before another is written, and after, and takes one again once one is deleted', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  const boiler = await makeDevice(api, project_id, 'Boiler 1');
  const pump = await makeDevice(api, project_id, 'Pump 1');
  await store(api, boiler, { supply: 80 });
  await store(api, pump, { supply: 60 });
  await addRules(api, boiler, MOST - 1);
  await visit(page, `#/projects/${project_id}/rules`);
  const byTag = page.getByRole('button', { name: 'New rule by tag' });
  const full = page.getByText('A project holds at most 200 rules');
  await expect(page.getByRole('status').filter({ hasText: '199 rules' })).toBeVisible();
  await expect(byTag).toBeEnabled();
  await expect(full).toHaveCount(0);

  // Written while there was room for it.
  await visitDevice(page, pump, 'rules?open=new');
  await page.getByRole('textbox', { name: 'Name' }).fill('Too hot');
  await page.getByRole('textbox', { name: 'Limit', exact: true }).fill('85');
  await addRule(api, boiler, MOST);
  await page.getByRole('button', { name: 'Save, off' }).click();
  await expect(page.getByRole('alert')).toContainText('a project holds at most 200 rules; delete some first');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Too hot');
  await look(page, 'rules-limit-refused');

  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(full).toBeVisible();
  await expect(page.getByRole('button', { name: 'New rule', exact: true })).toBeDisabled();
  await look(page, 'rules-limit-none');
  await visitDevice(page, boiler, 'rules');
  await expect(full).toBeVisible();
  await expect(page.getByRole('button', { name: 'New rule', exact: true })).toBeDisabled();
  await visit(page, `#/projects/${project_id}/rules`);
  await expect(page.getByRole('status').filter({ hasText: '200 rules' })).toBeVisible();
  await expect(full).toBeVisible();
  await expect(byTag).toBeDisabled();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/rules$/);
  await look(page, 'rules-limit');

  await page
    .getByRole('button', { name: /^Delete rule/ })
    .first()
    .click();
  await expect(byTag).toBeEnabled();
  await expect(full).toHaveCount(0);
  // Its place is taken meanwhile: what cannot be had back says why.
  await addRule(api, boiler, MOST + 1);
  await expect(full).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('That could not be undone')).toBeVisible();
  await expect(page.getByText('a project holds at most 200 rules; delete some first')).toBeVisible();
});
