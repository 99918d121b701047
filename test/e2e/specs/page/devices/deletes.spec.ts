import type { Locator, Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import {
  dataPath,
  expectDone,
  makeDevice,
  makeProject,
  openAction,
  removedRows,
  store,
  visit,
  visitDevice,
  type DeviceIds,
} from '../../../steps/steps.ts';

/* Deletes: exactly what would go, the result said, /v2 of the same mind, and all of it back. */

const FIRST = '2026-01-05T08:00:00.000000Z';
const LAST = '2026-01-05T08:00:02.500000Z';

async function makeFunction(api: Api, { project_id, device_id }: DeviceIds): Promise<void> {
  const body = { device_id, name: 'Alarm', type: 'threshold', condition: { above: 90 } };
  await expectDone(api('POST', `/_local/v1/projects/${project_id}/functions`, { body }));
}

async function makeWidget(api: Api, title: string, ...devices: DeviceIds[]): Promise<void> {
  const [{ project_id } = { project_id: '' }] = devices;
  const sources = devices.map(({ device_id }) => ({ device_id, key: 'bar' }));
  const body = { title, type: 'line', sources };
  await expectDone(api('POST', `/_local/v1/projects/${project_id}/widgets`, { body }));
}

function openedDialog(page: Page, title: string): { dialog: Locator; act: Locator; name: Locator } {
  const dialog = page.getByRole('dialog', { name: title });
  const name = dialog.getByRole('textbox', { name: 'Type the name to confirm' });
  return { dialog, name, act: dialog.getByRole('button', { name: /^(Purge|Delete) / }) };
}

/** Only the whole name lets the act happen. */
async function confirm({ name, act }: ReturnType<typeof openedDialog>, text: string): Promise<void> {
  await expect(act).toBeDisabled();
  for (const wrong of [text.slice(0, -1), text.toUpperCase()]) {
    await name.fill(wrong);
    await expect(act).toBeDisabled();
    await name.press('Enter');
  }
  await name.fill(text);
  await act.click();
}

test('a purge, a delete and the delete of a project take exactly what they say', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Line 2');
  const press = await makeDevice(api, project_id, 'Press');
  const pump = await makeDevice(api, project_id, 'Pump');
  const readings = ['08:00:00', '08:00:01', '08:00:02.5'].map((time, index) => ({
    timestamp: `2026-01-05T${time}Z`,
    bar: index,
  }));
  await store(api, press, readings);
  await store(api, pump, readings.slice(1));
  await makeFunction(api, press);
  await makeFunction(api, pump);
  await makeWidget(api, 'Press alone', press);
  await makeWidget(api, 'Both', press, pump);

  await visitDevice(page, press);
  await openAction(page, 'Purge data…');
  const purge = openedDialog(page, 'Purge the data of “Press”');
  await expect(removedRows(purge.dialog)).toHaveText([
    'Data3 records',
    /^First record/,
    /^Last record.*\.5$/,
    /^Size on disk[1-9]\d* bytes|[\d.]+ KB$/,
  ]);
  await expect(purge.dialog.getByRole('time').first()).toHaveAttribute('datetime', FIRST);
  await expect(purge.dialog.getByRole('time').last()).toHaveAttribute('datetime', LAST);
  await expect(purge.dialog).toContainText(/You can restore this until \d{4}-\d\d-\d\d\./);
  await expect(purge.name).toHaveCount(0);
  await purge.act.click();
  await expect(page.getByText('3 records of “Press” deleted')).toBeVisible();
  await expect(page.getByTestId('chart-empty')).toContainText('The data was purged');
  expect((await api('GET', `${dataPath(press)}?page=1&limit=10&range=all`)).data).toEqual([]);
  expect((await api('GET', `${dataPath(press)}/keys`)).data).toEqual([]);
  expect((await api('GET', `${dataPath(pump)}?page=1&limit=10&range=all`)).data).toHaveLength(2);

  await store(api, press, readings[0]);
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '1');
  await openAction(page, 'Delete device…');
  const deletion = openedDialog(page, 'Delete device “Press”');
  await expect(removedRows(deletion.dialog)).toHaveText([
    'Devices1',
    'Data1 record',
    /^First record/,
    /^Last record/,
    /^Size on disk/,
    'Functions1',
    'Widgets1',
    'Widgets kept1 widget would lose a source',
  ]);
  await shot(page, 'delete-device');
  await deletion.act.click();
  await expect(page.getByText('Device “Press” deleted')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Line 2' })).toBeVisible();
  await visit(page, `#/projects/${project_id}?view=list`);
  await expect(page.getByRole('link', { name: 'Pump' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Press' })).toHaveCount(0);
  expect((await api('GET', `/v2/projects/${project_id}/devices/${press.device_id}`)).status).toBe(404);
  expect((await api('GET', `${dataPath(press)}?page=1&limit=10&range=all`)).status).toBe(404);
  const { data: widgets } = await api('GET', `/_local/v1/projects/${project_id}/widgets`);
  expect(widgets).toMatchObject([{ title: 'Both', sources: [{ device_id: pump.device_id }] }]);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete project…' }).click();
  const end = openedDialog(page, 'Delete project “Line 2”');
  await expect(removedRows(end.dialog)).toHaveText([
    'Devices1',
    'Data2 records',
    /^First record/,
    /^Last record/,
    /^Size on disk/,
    'Functions1',
    'Widgets1',
  ]);
  await shot(page, 'delete-project');
  await end.act.click();
  await expect(page.getByText('Project “Line 2” deleted')).toBeVisible();
  await expect(page.getByText('No projects yet')).toBeVisible();
  expect((await api('GET', `/v2/projects/${project_id}`)).status).toBe(404);
  expect((await api('GET', `${dataPath(pump)}?page=1&limit=10&range=all`)).status).toBe(404);
  expect((await api('GET', '/v2/projects')).data).toEqual([]);
});

test('what was deleted comes back by the key and by the palette long after its notice has gone', async ({
  page,
  api,
}) => {
  const press = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(api, press, [{ bar: 1 }, { bar: 2 }]);
  await visitDevice(page, press);
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '2');
  const notice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: /^Undo/ }) });
  const purge = async () => {
    await openAction(page, 'Purge data…');
    await openedDialog(page, 'Purge the data of “Press”').act.click();
    await expect(page.getByTestId('chart-empty')).toBeVisible();
  };
  const dismiss = async () => {
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notice).toHaveCount(0);
  };
  await purge();
  // It goes by itself after ten seconds.
  await expect(notice).toHaveCount(0, { timeout: 30_000 });
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '2');
  await expect(page.getByText('Taken back: 2 records of “Press” deleted.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('All that this window did was taken back')).toBeVisible();

  await purge();
  await dismiss();
  // Its notice has gone: where the data was, it is said that they can be had back.
  await page.getByTestId('chart-empty').getByRole('button', { name: 'Restore 2 records' }).click();
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '2');

  await purge();
  await dismiss();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: 'Go to or do' }).fill('undo');
  await expect(page.getByText('Undo: 2 records of “Press” deleted')).toBeVisible();
  await shot(page, 'undo-palette');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '2');
});

test('a purge is undone from its notice, and by the key', async ({ page, api }) => {
  const press = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(api, press, [{ bar: 1 }, { bar: 2 }]);
  await visitDevice(page, press);
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '2');
  for (const undo of [
    () => page.getByRole('button', { name: /^Undo/ }).click(),
    () => page.keyboard.press('ControlOrMeta+z'),
  ]) {
    await openAction(page, 'Purge data…');
    await openedDialog(page, 'Purge the data of “Press”').act.click();
    const notice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: /^Undo/ }) });
    await expect(notice).toContainText(
      /2 records of “Press” deletedYou can restore this until \d{4}-\d\d-\d\d\./,
    );
    await expect(page.getByTestId('chart-empty')).toBeVisible();
    await shot(page, 'undo-toast');
    await undo();
    await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '2');
    await expect(page.getByText('Undone').last()).toBeVisible();
  }
});

test('a deleted device is restored from its own screen, and from the list of what was deleted', async ({
  page,
  api,
  expectPageErrors,
}) => {
  expectPageErrors(/404/);
  const project_id = await makeProject(api, 'Line 2');
  const press = await makeDevice(api, project_id, 'Press');
  await store(api, press, [{ bar: 1 }, { bar: 2 }]);
  const path = `/_local/v1/projects/${project_id}/devices/${press.device_id}`;
  await expectDone(api('DELETE', path));
  await visit(page, `#/projects/${project_id}/devices/${press.device_id}`);
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The device “Press” was deleted');
  await shot(page, 'deleted-device');
  await page.getByRole('button', { name: 'Restore device' }).click();
  await expect(page.getByRole('heading', { name: 'Press' })).toBeVisible();
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '2');

  await expectDone(api('DELETE', `${path}/records`));
  await expectDone(api('DELETE', path));
  await visit(page, '#/deleted');
  const rows = page.getByRole('table', { name: 'Deletes' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  // Its records wait for it.
  await expect(rows.nth(2)).toContainText('after “Press”');
  await shot(page, 'recently-deleted');
  await page.getByRole('searchbox', { name: 'Search deletes' }).fill('device of');
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Restore Press' }).click();
  // That it was restored may still be said of the first time.
  await expect(page.getByText('“Press” restored').last()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Restore Press' })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search deletes' }).fill('');
  await page.getByRole('button', { name: 'Restore Press' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing was deleted lately')).toBeVisible();
  expect((await api('GET', `${path}/summary`)).data).toMatchObject({ records: 2 });
});

test('for good asks for the name, and is', async ({ page, api }) => {
  const press = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(api, press, { bar: 1 });
  const path = `/_local/v1/projects/${press.project_id}/devices/${press.device_id}`;
  await expectDone(api('DELETE', path));
  await visit(page, '#/deleted');
  await page.getByRole('button', { name: 'Delete for good… Press' }).click();
  const dialog = openedDialog(page, 'Delete “Press” for good');
  await expect(dialog.dialog).toContainText('This cannot be undone.');
  await shot(page, 'delete-for-good');
  await confirm(dialog, 'Press');
  await expect(page.getByText('Nothing was deleted lately')).toBeVisible();
  expect((await api('GET', '/_local/v1/undo')).data).toEqual([]);
});

test('what a list was searched for and ordered by is there again on the way back', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  for (const name of ['Press 1', 'Press 2', 'Oven']) {
    const { device_id } = await makeDevice(api, project_id, name);
    await api('DELETE', `/_local/v1/projects/${project_id}/devices/${device_id}`);
  }
  await visit(page, '#/deleted');
  const table = page.getByRole('table', { name: 'Deletes' });
  const search = page.getByRole('searchbox', { name: 'Search deletes' });
  await search.fill('press');
  await table.getByRole('button', { name: 'What' }).click();
  await table.getByRole('button', { name: 'What' }).click();
  const first = table.getByRole('row').nth(1);
  await expect(first).toContainText('Press 2');
  await expect(page).toHaveURL(/#\/deleted\?find=press&sort=-what$/);
  await visit(page, '#/requests');
  await page.goBack();
  await expect(search).toHaveValue('press');
  await expect(table.getByRole('row')).toHaveCount(3);
  await expect(first).toContainText('Press 2');
  await expect(table.getByRole('columnheader', { name: 'What' })).toHaveAttribute('aria-sort', 'descending');
});
