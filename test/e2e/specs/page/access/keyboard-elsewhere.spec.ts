import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from '../../../app.ts';
import { expectVisibleFocus, tabTo } from '../../../steps/keyboard-steps.ts';
import { startLab } from '../../../lab.ts';
import { dataPath, makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';

/* Services elsewhere and pushes without a mouse. */

test('a service is added, looked at, pushed to and removed by keyboard alone', async ({ page, api }) => {
  await using lab = await startLab();
  await makeProject(lab.api, 'Furnaces');
  const project_id = await makeProject(api, 'Boiler room');
  const pump = await makeDevice(api, project_id, 'Pump');
  await store(api, pump, [{ temperature: 20 }, { temperature: 21 }]);
  const { keyboard } = page;
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  const dialog = page.getByRole('dialog', { name: 'Add a service' });
  const here = page.getByRole('region', { name: 'Service elsewhere' });

  await visit(page, '#/other-services');
  await expect(page.getByText('No other services yet')).toBeVisible();
  await keyboard.press('n');
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toBeFocused();
  await expectVisibleFocus(page);
  await keyboard.insertText(lab.ready.base_url);
  await keyboard.press('Enter');
  // Who is told a fingerprint enters that first.
  await expect(dialog.getByRole('textbox', { name: 'Fingerprint that you were told' })).toBeFocused();
  const { fingerprint256 } = new X509Certificate(await readFile(lab.ready.ca_file ?? ''));
  await keyboard.insertText(fingerprint256);
  await tabTo(page, dialog.getByRole('radio', { name: /^Its authority/ }));
  await expect(dialog.getByRole('radio', { name: /^Its authority/ })).toBeChecked();
  await keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: /^This certificate alone/ })).toBeChecked();
  await keyboard.press('ArrowUp');
  await tabTo(page, dialog.getByRole('button', { name: 'Authority from a file…' }));
  await tabTo(page, dialog.getByRole('textbox', { name: 'Name' }));
  await keyboard.press('ControlOrMeta+a');
  await keyboard.insertText('Furnace lab');
  await tabTo(page, dialog.getByRole('textbox', { name: 'API key' }));
  await keyboard.insertText(lab.ready.api_key);
  await tabTo(page, dialog.getByRole('button', { name: 'red', exact: true }));
  await keyboard.press('Space');
  await tabTo(page, dialog.getByRole('switch', { name: 'Read-only' }));
  await tabTo(page, dialog.getByRole('button', { name: 'Trust it and sign in' }));
  await keyboard.press('Enter');
  await expect(here).toContainText('Furnace lab');
  await expect(page.getByRole('main').getByRole('link', { name: 'Furnaces' })).toBeVisible();

  // The palette leads back, and to the push.
  await keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Go to or do' })).toBeFocused();
  await page.keyboard.type('back to this');
  await keyboard.press('Enter');
  await expect(here).toHaveCount(0);
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('link', { name: 'Pump' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Push…' }));
  await keyboard.press('Enter');
  await expect(heading('Push Boiler room to a lab')).toBeFocused();
  const field = page.getByRole('combobox', { name: 'Lab' });
  // The only one is meant.
  await expect(field).toHaveValue('Furnace lab');
  await tabTo(page, field);
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('another');
  await expect(page.getByRole('option')).toHaveText(['Another address…']);
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('textbox', { name: 'Address of the lab' }));
  await tabTo(page, page.getByRole('button', { name: 'Authority from a file…' }));
  await tabTo(page, field, 'Shift+Tab');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('furnace');
  await expect(page.getByRole('option')).toHaveText([/^Furnace lab/]);
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page.getByLabel('API key of the lab')).toHaveCount(0);
  await tabTo(page, page.getByRole('checkbox', { name: 'Also send what was removed in the lab' }));
  await tabTo(page, page.getByRole('button', { name: 'Plan', exact: true }));
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Send 2 records' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /Pump/ })).toContainText('2 sent');
  // The button is gone: the focus stays on the screen.
  await expect(page.locator('main :focus')).toHaveCount(1);
  const { headers } = await lab.api('GET', `${dataPath(pump)}?page=1&limit=1&range=all`);
  expect(headers.get('x-total-count')).toBe('2');

  await visit(page, '#/other-services');
  await tabTo(page, page.getByRole('button', { name: 'Edit Furnace lab…' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Edit “Furnace lab”' })).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Edit Furnace lab…' })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Remove Furnace lab…' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Remove' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByText('No other services yet')).toBeVisible();
  await expect(page.locator('main :focus')).toHaveCount(1);
});
