import type { Locator, Page } from '@playwright/test';
import type { Api } from '../api.ts';
import { expect, shot, test } from '../app.ts';
import {
  dataPath,
  expectDone,
  makeDevice,
  makeProject,
  openAction,
  store,
  visit,
  visitDevice,
  type DeviceIds,
} from '../steps.ts';

/* What cannot be undone: exactly what would go, the name typed, the result said, and /v2 of the same mind. */

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

/** What the dialog says would go, by row. */
function rowsOf(dialog: Locator): Locator {
  return dialog.getByRole('table', { name: 'What would be removed' }).getByRole('row');
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
  await expect(rowsOf(purge.dialog)).toHaveText([
    'Data3 records',
    /^First record/,
    /^Last record.*\.5$/,
    /^Size on disk[1-9]\d* bytes|[\d.]+ KB$/,
  ]);
  await expect(purge.dialog.getByRole('time').first()).toHaveAttribute('datetime', FIRST);
  await expect(purge.dialog.getByRole('time').last()).toHaveAttribute('datetime', LAST);
  await confirm(purge, 'Press');
  await expect(page.getByText('Data of “Press” purged')).toBeVisible();
  await expect(page.getByText('3 records removed.')).toBeVisible();
  await expect(page.getByTestId('chart-empty')).toContainText('The data was purged');
  expect((await api('GET', `${dataPath(press)}?page=1&limit=10&range=all`)).data).toEqual([]);
  expect((await api('GET', `${dataPath(press)}/keys`)).data).toEqual([]);
  expect((await api('GET', `${dataPath(pump)}?page=1&limit=10&range=all`)).data).toHaveLength(2);

  await store(api, press, readings[0]);
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '1');
  await openAction(page, 'Delete device…');
  const deletion = openedDialog(page, 'Delete device “Press”');
  await expect(rowsOf(deletion.dialog)).toHaveText([
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
  await confirm(deletion, 'Press');
  await expect(page.getByText('1 device, 1 record, 1 function, 1 widget removed.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Line 2' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Pump' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Press' })).toHaveCount(0);
  expect((await api('GET', `/v2/projects/${project_id}/devices/${press.device_id}`)).status).toBe(404);
  expect((await api('GET', `${dataPath(press)}?page=1&limit=10&range=all`)).status).toBe(404);
  const { data: widgets } = await api('GET', `/_local/v1/projects/${project_id}/widgets`);
  expect(widgets).toMatchObject([{ title: 'Both', sources: [{ device_id: pump.device_id }] }]);

  await page.getByRole('button', { name: 'Delete project…' }).click();
  const end = openedDialog(page, 'Delete project “Line 2”');
  await expect(rowsOf(end.dialog)).toHaveText([
    'Devices1',
    'Data2 records',
    /^First record/,
    /^Last record/,
    /^Size on disk/,
    'Functions1',
    'Widgets1',
  ]);
  await shot(page, 'delete-project');
  await confirm(end, 'Line 2');
  await expect(page.getByText('1 device, 2 records, 1 function, 1 widget removed.')).toBeVisible();
  await expect(page.getByText('No projects yet')).toBeVisible();
  expect((await api('GET', `/v2/projects/${project_id}`)).status).toBe(404);
  expect((await api('GET', `${dataPath(pump)}?page=1&limit=10&range=all`)).status).toBe(404);
  expect((await api('GET', '/v2/projects')).data).toEqual([]);
});

test('what someone else deleted says so, and a dialog over it tells why it cannot act', async ({
  page,
  api,
  expectPageErrors,
}) => {
  expectPageErrors(/404/);
  const project_id = await makeProject(api, 'Line 2');
  const device = await makeDevice(api, project_id, 'Press');
  await visitDevice(page, device);
  await openAction(page, 'Purge data…');
  const purge = openedDialog(page, 'Purge the data of “Press”');
  await expect(rowsOf(purge.dialog)).toContainText(['0 records']);
  await api('DELETE', `/v2/projects/${project_id}/devices/${device.device_id}`);
  await purge.name.fill('Press');
  await purge.act.click();
  await expect(purge.dialog.getByRole('alert').last()).toContainText(/not found|no device/i);
  await purge.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(/not found|no device/i);
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByText('No devices yet')).toBeVisible();
});
