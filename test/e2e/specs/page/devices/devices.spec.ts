import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import {
  expectChart,
  expectDone,
  makeDevice,
  makeProject,
  openAction,
  store,
  visit,
  visitDevice,
} from '../../../steps/steps.ts';

/* Devices as a technician meets them: made, connected, renamed, found among many. */

/** Runs a command as pasted into a terminal; gives what it printed. */
async function paste(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command]);
  return stdout;
}

test('a new device stores its first reading by the command that its dialog shows', async ({ page, api }) => {
  await visit(page, `#/projects/${await makeProject(api, "Jo's lab; $(id)")}`);
  await page.getByRole('button', { name: 'Add the first device' }).click();
  const dialog = page.getByRole('dialog', { name: 'New device' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('x'.repeat(101));
  await dialog.getByRole('button', { name: 'Create device' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/1 to 100/);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Boiler 3');
  await dialog.getByRole('textbox', { name: 'Description' }).fill('North wall');
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('steam');
  await dialog.getByRole('combobox', { name: 'Tags' }).press('Enter');
  await dialog.getByRole('textbox', { name: 'Brand' }).fill('Viessmann');
  await shot(page, 'new-device');
  await dialog.getByRole('button', { name: 'Create device' }).click();

  const created = page.getByRole('dialog', { name: 'Device “Boiler 3” created' });
  await expect(created.getByRole('group', { name: 'Device token' })).toHaveText(/^[0-9A-Za-z]{40}$/);
  const command = await created.getByRole('group', { name: 'Store a first reading' }).innerText();
  await created.getByRole('button', { name: 'Open device' }).click();
  await expect(page.getByTestId('chart-empty')).toContainText('never stored');
  await expect(page.getByRole('main')).toContainText('Never seen');
  await expect(page.getByRole('main')).toContainText('North wall');

  expect(JSON.parse(await paste(`${command} -s`))).toMatchObject({ status: 200, data: { stored: 1 } });
  await expectChart(page, 1);
  await expect(page.locator('[data-line=temperature]').getByTestId('value')).toHaveText('21.5');
  await expect(page.getByRole('main')).toContainText('Last seen just now');
});

test('a token is hidden until asked, can be copied, and a renewed one refuses the old', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
  await visitDevice(page, device, 'connect');
  const token = page.getByRole('group', { name: 'Device token' });
  await expect(token).toHaveText(/^•+$/);
  await expect(page.getByText(device.token)).toHaveCount(0);
  await page.getByRole('button', { name: 'Copy device token' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  // Pasted as a technician would, into a field at hand: the page may not read the clipboard.
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Go to or do' }).press('ControlOrMeta+V');
  await expect(page.getByRole('textbox', { name: 'Go to or do' })).toHaveValue(device.token);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show device token' }).click();
  await expect(token).toHaveText(device.token);
  await page.getByRole('button', { name: 'Hide device token' }).click();
  await expect(token).toHaveText(/^•+$/);

  await page.getByRole('button', { name: 'Renew token…' }).click();
  await shot(page, 'renew-token');
  await page.getByRole('dialog').getByRole('button', { name: 'Renew token' }).click();
  const renewed = page
    .getByRole('dialog', { name: 'New token' })
    .getByRole('group', { name: 'Device token' });
  await expect(renewed).toHaveText(/^[0-9A-Za-z]{40}$/);
  const next = await renewed.innerText();
  expect(next).not.toBe(device.token);
  const post = (key: string) => api('POST', '/integrations/http', { key, body: { bar: 1 } });
  expect((await post(device.token)).status).toBe(401);
  expect((await post(next)).status).toBe(200);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Show device token' }).click();
  await expect(token).toHaveText(next);
});

test('a device is edited, and everywhere shows it at once', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Lab');
  const device = await makeDevice(api, project_id, 'Boiler 3', { tags: ['steam'] });
  await visitDevice(page, device);
  await openAction(page, 'Edit device…');
  const dialog = page.getByRole('dialog', { name: 'Edit device' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('  ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/1 to 100/);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Boiler 3b');
  await dialog.getByRole('textbox', { name: 'Model' }).fill('Vitodens');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Boiler 3b' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Boiler 3b');
  const { data } = await api('GET', `/v2/projects/${project_id}/devices/${device.device_id}`);
  expect(data).toMatchObject({ name: 'Boiler 3b', model: 'Vitodens', tags: ['steam'] });

  // What a script changes shows in the open window, too.
  await api('PATCH', `/_local/v1/projects/${project_id}/devices/${device.device_id}`, {
    body: { name: 'Boiler 4' },
  });
  await expect(page.getByRole('heading', { name: 'Boiler 4' })).toBeVisible();
});

test('a device of MQTT stores its first reading by the code that its page shows when asked', async ({
  page,
  api,
  own,
}) => {
  const meter = await makeDevice(api, await makeProject(api, 'Lab'), 'Meter', { source: 'mqtt' });
  const { data } = await own('GET', '/_local/v1/status');
  await visitDevice(page, meter, 'connect');
  const main = page.getByRole('main');
  await expect(main.getByRole('group', { name: 'Device id: MQTT user name and topic' })).toHaveText(
    meter.device_id,
  );
  await expect(main.getByRole('group', { name: 'Device token: MQTT password' })).toHaveText(/^•+$/);
  await expect(main.getByRole('group', { name: 'Address, on this machine only' })).toHaveText(
    (data as ServiceStatus).mqtt_url ?? '',
  );
  await expect(page.getByText(meter.token)).toHaveCount(0);
  const code = main.getByRole('group', { name: 'Store a first reading' });
  await expect(code).toContainText("-P '••••••••'");
  await page.getByRole('button', { name: 'Show store a first reading' }).click();
  await expect(code).toContainText(meter.token);
  const command = await code.innerText();

  await page.getByRole('radio', { name: 'mosquitto_pub' }).press('ArrowRight');
  await expect(code).toContainText('from paho.mqtt import publish');
  await page.getByRole('radio', { name: 'Python' }).press('ArrowRight');
  await expect(code).toContainText("import mqtt from 'mqtt'");
  await page.getByRole('radio', { name: 'Node' }).press('ArrowRight');
  await expect(code).toContainText('#include <PubSubClient.h>');
  await expect(main).toContainText('only this machine reaches the address');

  await paste(command);
  await page.getByRole('tab', { name: 'Chart' }).click();
  await expectChart(page, 1);
  // It was made for MQTT, and is told so over HTTP.
  const answer = await api('POST', '/integrations/http', { key: meter.token, body: { bar: 1 } });
  expect(answer.status).toBe(403);
});

test('a device is found by tag or id in its list, and from anywhere by the palette', async ({
  page,
  api,
}) => {
  const north = await makeProject(api, 'Plant North');
  const south = await makeProject(api, 'Plant South');
  const oil = await makeDevice(api, north, 'PT-107', { tags: ['line-3', 'oil'] });
  await makeDevice(api, north, 'PT-108', { tags: ['line-4'] });
  await makeDevice(api, south, 'PT-107', { tags: ['spare'] });
  await visit(page, `#/projects/${north}`);
  const table = page.getByRole('table', { name: 'Devices' });
  await expect(table.getByRole('row', { name: /PT-107/ })).toContainText('line-3');
  const search = page.getByRole('searchbox', { name: 'Search devices' });
  for (const words of ['LINE-3', oil.device_id, 'oil pt']) {
    await search.fill(words);
    await expect(table.getByRole('link')).toHaveText(['PT-107']);
  }

  await visit(page, '#/');
  await expect(page.getByRole('link', { name: 'Plant North' })).toBeVisible();
  const ask = page.getByRole('textbox', { name: 'Go to or do' });
  await page.keyboard.press('ControlOrMeta+k');
  await ask.fill('pt-107');
  await expect(page.getByRole('button', { name: 'PT-107' })).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'PT-107 Plant North' })).toBeVisible();
  await shot(page, 'palette-everywhere');
  await ask.fill('spare');
  await page.getByRole('button', { name: 'PT-107 Plant South' }).click();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Plant South');
  await expect(page.getByRole('heading', { name: 'PT-107' })).toBeFocused();

  // What can be done here is there, too, and who types a name is not offered to delete what bears it.
  await page.keyboard.press('ControlOrMeta+k');
  await ask.fill('plant south');
  await expect(page.getByRole('button', { name: /Delete/ })).toHaveCount(0);
  await ask.fill('purge');
  await ask.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Purge the data of “PT-107”' })).toBeVisible();
});

test('the newest record is told beside the last contact where they are far apart', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Lab');
  const late = await makeDevice(api, project_id, 'Logger');
  const live = await makeDevice(api, project_id, 'Live');
  await store(api, late, { timestamp: '2014-02-03T12:00:00Z', bar: 1 });
  await store(api, live, { bar: 1 });
  await visit(page, `#/projects/${project_id}`);
  const table = page.getByRole('table', { name: 'Devices' });
  await expect(table.getByRole('row', { name: /Logger/ })).toContainText('newest record 2014-02-03');
  await expect(table.getByRole('row', { name: /Live/ })).toContainText('just now');
  await expect(table.getByRole('row', { name: /Live/ })).not.toContainText('newest record');
  await visitDevice(page, late);
  await expect(page.getByRole('main')).toContainText(
    /Last seen just now · newest record 2014-02-03 \d\d:00:00/,
  );
  await visitDevice(page, live);
  await expect(page.getByRole('main')).not.toContainText('newest record');
});

const MANY = 10_000;

async function makeManyDevices(api: Api, project_id: string): Promise<void> {
  const devices = Array.from({ length: MANY }, (_, index) => ({
    name: `Sensor ${index + 1}`,
    brand: index % 2 ? 'Bosch' : 'Acme',
  }));
  await expectDone(api('POST', `/_local/v1/projects/${project_id}/devices`, { body: { devices } }));
}

test('ten thousand devices scroll with few rows, and one is found by its name', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  await makeManyDevices(api, project_id);
  const last = await makeDevice(api, project_id, 'Señal del depósito', { brand: 'Endress' });
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('main')).toContainText('10,001 devices');
  const table = page.getByRole('table', { name: 'Devices' });
  await expect(table).toHaveAttribute('aria-rowcount', String(MANY + 2));
  await expect(table.getByRole('row').nth(1)).toContainText('Señal del depósito');
  expect(await table.getByRole('row').count()).toBeLessThan(60);
  await shot(page, 'devices-many');

  // In natural order by name, from the start.
  await expect(table.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(table.getByRole('link')).toContainText([
    'Señal del depósito',
    'Sensor 1',
    'Sensor 2',
    'Sensor 3',
  ]);
  await table.getByRole('button', { name: 'Name' }).click();
  await expect(table.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending');
  await expect(table.getByRole('link').first()).toHaveText('Sensor 10000');
  await table.getByRole('link').first().press('End');
  await expect(table.getByRole('link', { name: 'Señal del depósito' })).toBeFocused();
  expect(await table.getByRole('row').count()).toBeLessThan(60);

  const search = page.getByRole('searchbox', { name: 'Search devices' });
  await search.fill('deposito endress');
  await expect(table.getByRole('link')).toHaveText(['Señal del depósito']);
  await search.fill('sensor 9999');
  await expect(table.getByRole('link')).toHaveText(['Sensor 9999']);
  await search.fill('nowhere');
  await expect(page.getByText('No device matches “nowhere”.')).toBeVisible();
  await search.press('Escape');

  // The one that stores comes to the top of the order by "Last seen".
  await store(api, last, { bar: 1 });
  const seen = table.getByRole('button', { name: 'Last seen' });
  await seen.click();
  await seen.click();
  await expect(table.getByRole('row').nth(1)).toContainText('Señal del depósito');
  await table.getByRole('link', { name: 'Señal del depósito' }).click();
  await expect(page.getByRole('heading', { name: 'Señal del depósito' })).toBeVisible();
});
