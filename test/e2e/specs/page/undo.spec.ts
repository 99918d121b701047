import type { Page } from '@playwright/test';
import type { Api } from '../../api.ts';
import { expect, shot, test } from '../../app.ts';
import {
  expectDone,
  makeDevice,
  makeProject,
  openAction,
  store,
  visit,
  visitDevice,
  type DeviceIds,
} from '../../steps/steps.ts';

/* Undo and redo of what this window edits: settings of keys, facts, notes, deletes and moves, in one history. */

const pathOf = ({ project_id, device_id }: DeviceIds) =>
  `/_local/v1/projects/${project_id}/devices/${device_id}`;
const said = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).last()).toBeVisible();

async function unitsOf(api: Api, project_id: string): Promise<readonly string[]> {
  const { data } = await api('GET', `/_local/v1/projects/${project_id}/key-settings`);
  return (data as { readonly unit: string }[]).map(({ unit }) => unit);
}

test('a unit that was applied to many devices is one step, undone and done again by the keys', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  const first = await makeDevice(api, project_id, 'PT-101');
  const second = await makeDevice(api, project_id, 'PT-102');
  const others = [await makeDevice(api, project_id, 'PT-103'), await makeDevice(api, project_id, 'PT-104')];
  for (const device of [first, second, ...others]) await store(api, device, { temperature: 20 });
  await expectDone(
    api('PATCH', `${pathOf(second)}/key-settings`, { body: { key: 'temperature', unit: 'K' } }),
  );
  await visitDevice(page, first, 'keys');
  await page.getByRole('link', { name: 'temperature' }).first().click();
  const unit = page.getByRole('combobox', { name: 'Unit' }).or(page.getByRole('textbox', { name: 'Unit' }));
  await unit.fill('°C');
  await page.getByRole('checkbox', { name: /Apply to all devices/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved for 4 devices.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await said(page, 'Taken back: unit of temperature for 4 devices.');
  expect(await unitsOf(api, project_id)).toEqual(['K']);
  // What is open shows what counts.
  await expect(unit).toHaveValue('');
  await expect(page.getByText('Saved for 4 devices.')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Redo/ })).toBeVisible();
  await shot(page, 'undo-settings');

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: 'Go to or do' }).fill('redo');
  await expect(page.getByText('Redo: unit of temperature for 4 devices')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await said(page, 'Done again: unit of temperature for 4 devices.');
  expect((await unitsOf(api, project_id)).toSorted()).toEqual(['°C', '°C', '°C', '°C']);
  await expect(unit).toHaveValue('°C');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(unit).toHaveValue('');
  await page.keyboard.press('ControlOrMeta+y');
  await expect(unit).toHaveValue('°C');

  // Somebody else changes one of them: nothing of it is overwritten.
  await expectDone(
    api('PATCH', `${pathOf(second)}/key-settings`, { body: { key: 'temperature', unit: 'F' } }),
  );
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('alert').filter({ hasText: 'That could not be undone' })).toContainText(
    'the unit of "temperature" of "PT-102" was changed, to "F"',
  );
  expect((await unitsOf(api, project_id)).toSorted()).toEqual(['F', '°C', '°C', '°C']);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('Nothing to undo', { exact: true })).toBeVisible();
});

test('facts, a note and a delete are undone in turn over a change of screen, and what is new ends what could be done again', async ({
  page,
  api,
}) => {
  const press = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(api, press, [{ bar: 1 }, { bar: 2 }]);
  const points = page.getByTestId('chart');
  const nameNow = async () =>
    (
      (await api('GET', `/v2/projects/${press.project_id}/devices/${press.device_id}`)).data as {
        name: string;
      }
    ).name;
  const notesNow = async () =>
    ((await api('GET', `${pathOf(press)}/notes`)).data as { text: string }[]).map(({ text }) => text);

  await visitDevice(page, press);
  await openAction(page, 'Edit device…');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Press 4');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Press 4' })).toBeVisible();

  await visitDevice(page, press, 'notes');
  await page.getByRole('button', { name: 'New note…' }).click();
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Valve opened');
  await dialog.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByText('Valve opened')).toBeVisible();

  await visitDevice(page, press);
  await openAction(page, 'Purge data…');
  await dialog.getByRole('button', { name: /^Purge/ }).click();
  await expect(page.getByTestId('chart-empty')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+z');
  await expect(points).toHaveAttribute('data-points', '2');
  await page.keyboard.press('ControlOrMeta+z');
  await said(page, 'Taken back: note “Valve opened” added.');
  await page.keyboard.press('ControlOrMeta+z');
  await said(page, 'Taken back: name of “Press 4”.');
  await expect(page.getByRole('heading', { name: 'Press', exact: true })).toBeVisible();
  expect([await nameNow(), await notesNow()]).toEqual(['Press', []]);

  for (const expected of ['Done again: name of “Press 4”.', 'Done again: note “Valve opened” added.']) {
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await said(page, expected);
  }
  expect([await nameNow(), await notesNow()]).toEqual(['Press 4', ['Valve opened']]);
  // A purge that would take more than it took is another one.
  await store(api, press, { bar: 3 });
  await expect(points).toHaveAttribute('data-points', '3');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(page.getByRole('alert').filter({ hasText: 'That could not be done again' })).toContainText(
    'Now 3 records would go, not 2 records. Nothing was deleted',
  );
  await expect(points).toHaveAttribute('data-points', '3');

  await page.keyboard.press('ControlOrMeta+z');
  await said(page, 'Taken back: note “Valve opened” added.');
  await openAction(page, 'Edit device…');
  await dialog.getByRole('textbox', { name: 'Model' }).fill('P4');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(page.getByText('Nothing to do again', { exact: true })).toBeVisible();
  expect(await notesNow()).toEqual([]);
});

test('in a text the key is of what was typed there', async ({ page, api }) => {
  const press = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(api, press, [{ bar: 1 }]);
  await visitDevice(page, press);
  await openAction(page, 'Purge data…');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Purge/ })
    .click();
  await expect(page.getByTestId('chart-empty')).toBeVisible();
  const filter = page.getByPlaceholder(/Filter/).first();
  await filter.pressSequentially('Pu');
  await filter.press('ControlOrMeta+z');
  await expect(filter).toHaveValue('');
  await filter.press('ControlOrMeta+Shift+z');
  await expect(filter).toHaveValue('Pu');
  await expect(page.getByTestId('chart-empty')).toBeVisible();
});

test('in a field that nobody typed in, the keys are of what was done last', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  await makeDevice(api, project_id, 'PT-101');
  await visit(page, `#/projects/${project_id}`);
  const device = page.getByRole('table', { name: 'Devices' }).getByRole('link', { name: 'PT-101' });
  await page.getByRole('button', { name: 'Actions for PT-101' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete device' }).click();
  await expect(device).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(device).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search devices' }).focus();
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(device).toHaveCount(0);
});

test('devices that were moved to another project come back, with their widgets, and move again', async ({
  page,
  api,
}) => {
  const [plant, roof] = [await makeProject(api, 'Plant'), await makeProject(api, 'Roof')];
  const made = [await makeDevice(api, plant, 'PT-101'), await makeDevice(api, plant, 'PT-102')];
  for (const device of made) await store(api, device, { bar: 1 });
  const sources = made.map(({ device_id }) => ({ device_id, key: 'bar' }));
  const widgets = `/_local/v1/projects/${plant}/widgets`;
  await expectDone(api('POST', widgets, { body: { title: 'Both', type: 'line', sources } }));
  const sourcesNow = async () =>
    ((await api('GET', widgets)).data as { sources: unknown[] }[]).flatMap((widget) => widget.sources);
  const list = page.getByRole('table', { name: 'Devices' });

  await visit(page, `#/projects/${plant}?view=list`);
  for (const name of ['PT-101', 'PT-102'])
    await list.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('region', { name: 'Selected devices' }).getByRole('button', { name: 'Move…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 devices' });
  await dialog.getByRole('combobox', { name: 'To project' }).click();
  await page.getByRole('option', { name: 'Roof' }).click();
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  const notice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: /^Undo/ }) });
  await expect(notice).toContainText('2 devices moved to “Roof”');
  expect(await sourcesNow()).toEqual([]);
  await visit(page, `#/projects/${roof}`);
  await expect(list.getByRole('link')).toHaveCount(2);

  await page.keyboard.press('ControlOrMeta+z');
  await said(page, 'Taken back: 2 devices moved to “Roof”.');
  await expect(list.getByRole('link')).toHaveCount(0);
  expect(await sourcesNow()).toEqual(sources);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await said(page, 'Done again: 2 devices moved to “Roof”.');
  await expect(list.getByRole('link')).toHaveCount(2);
  expect(await sourcesNow()).toEqual([]);

  // Who looks at one of them goes with it; one that was deleted meanwhile is passed over.
  const [first, second] = made;
  await visitDevice(page, { project_id: roof, device_id: first?.device_id ?? '' });
  await expectDone(api('DELETE', `/v2/projects/${roof}/devices/${second?.device_id}`));
  await page.keyboard.press('ControlOrMeta+z');
  await said(page, 'Moved: 1 of 2. The others were deleted, or moved on, before.');
  await expect(page).toHaveURL(new RegExp(`projects/${plant}/devices/${first?.device_id}`));
  await expect(page.getByRole('heading', { name: 'PT-101' })).toBeVisible();
});
