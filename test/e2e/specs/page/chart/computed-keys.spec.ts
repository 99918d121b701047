import { expect, test } from '../../../app.ts';
import { correctionsPath, figureOf, makeColdStore, MINUTES } from '../../../steps/correction-steps.ts';
import { look } from '../../../look.ts';
import { THREE_SIZES } from '../../../shot.ts';
import { expectChart, visitDevice } from '../../../steps/steps.ts';

/* Keys that are computed of others: made, changed, and shown as any other. */

test('a computed key is made from the chart, with its values beside the formula, and is taken back', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await page.getByRole('button', { name: 'More of the chart' }).click();
  await page.getByRole('menuitem', { name: 'Computed key…' }).click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByRole('textbox', { name: 'Name of the new key' });
  const formula = dialog.getByRole('textbox', { name: 'Formula' });
  const words = dialog.getByTestId('formula-words');
  await expect(name).toBeFocused();
  await name.fill('air');
  await formula.fill('air - ');
  await expect(words).toHaveText(/^Not a formula yet: there must be a number, a key, .* at character 7\.$/);
  await dialog.getByRole('button', { name: 'Compute' }).click();
  await expect(name).toHaveAccessibleDescription('The device has a key “air” already.');
  await expect(formula).toHaveAccessibleDescription(/Not a formula yet/);
  await name.fill('apart');
  await formula.fill('humidity / 10 - ari');
  await expect(formula).toHaveAccessibleDescription(/The device has no key "ari"\. It has .*"air"/);
  await formula.fill('humidity / 10 - ');
  await dialog.getByRole('combobox', { name: 'Insert a key' }).fill('ai');
  await page.getByRole('option', { name: 'air', exact: true }).click();
  await expect(formula).toHaveValue('humidity / 10 - air');
  await expect(formula).toBeFocused();
  await expect(words).toContainText('apart = humidity ÷ 10 − air');
  await expect(words).toContainText('has a value.');
  await dialog.getByRole('combobox', { name: 'Unit' }).fill('K');
  await expect(dialog.getByTestId('derived-preview')).toHaveText(/^240 values, −6 to 2 K/);
  const newest = dialog.getByRole('table', { name: 'Newest values' });
  await expect(newest.getByRole('row')).toHaveCount(5);
  await expect(newest.getByRole('row').nth(1)).toContainText('4.9');
  await dialog.getByRole('textbox', { name: 'Other keys may be this old' }).fill('90 s');
  await expect(words).toContainText('where the others are at most 1 min 30 s old');
  await look(page, 'correct-computed', THREE_SIZES);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('for the damp corner');
  await dialog.getByRole('button', { name: 'Compute' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(figureOf(page, 'apart', 'max')).toHaveAttribute('data-exact', '2');
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '12');
  await expect(page.getByTestId('chart-readout')).toContainText('K');
  await look(page, 'chart-computed', THREE_SIZES);
  const { data } = await api('GET', correctionsPath(device));
  expect(data).toMatchObject([{ key: 'apart', of: 'humidity / 10 - air', within_s: 90 }]);

  // One step, its unit with it.
  await page.keyboard.press('ControlOrMeta+z');
  await expect(figureOf(page, 'apart', 'max')).toHaveCount(0);
  const settings = await api('GET', `/_local/v1/projects/${device.project_id}/key-settings`);
  expect(settings.data).toEqual([]);
});

test('a computed key is changed from the list of corrections, and a circle is refused at its formula', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device, 'corrections');
  for (const [key, of] of [
    ['twice', 'air * 2'],
    ['more', 'twice + 1'],
  ] as const) {
    await page.getByRole('button', { name: 'New correction' }).click();
    await page.getByRole('menuitem', { name: 'Computed key…' }).click();
    await page.getByRole('textbox', { name: 'Name of the new key' }).fill(key);
    await page.getByRole('textbox', { name: 'Formula' }).fill(of);
    await page.getByRole('button', { name: 'Compute', exact: true }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  const table = page.getByRole('table', { name: 'Corrections' });
  await table.getByRole('button', { name: /^Change Computed key: twice/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the computed key' });
  const formula = dialog.getByRole('textbox', { name: 'Formula' });
  await expect(formula).toHaveValue('air * 2');
  await formula.fill('more / 2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(formula).toHaveAccessibleDescription(/must not lead back to its own key/);
  await formula.fill('air * 3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(table).toContainText('twice = air * 3');
});
