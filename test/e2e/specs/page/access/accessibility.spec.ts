import { expect, inFolder, test } from '../../../app.ts';
import { violationsIn } from '../../../axe.ts';
import { look, lookAtDialog, READINGS } from '../../../look.ts';
import {
  expectChart,
  makeDevice,
  makeProject,
  openAction,
  store,
  visit,
  visitDevice,
} from '../../../steps/steps.ts';

/* Every screen and dialog, seen in both themes and checked against WCAG 2.1 A and AA. */

// The stand-in shows the same page in the same Chromium as the console, and looking at all of it takes minutes.
test.skip(({ host }) => host === 'stand-in', 'the console has the same page');

test('what is wrong is found at each look', async ({ page }) => {
  await page.evaluate(() => document.body.append(document.createElement('img')));
  for (const time of ['first', 'second'])
    expect(await violationsIn(page), time).toEqual([{ id: 'image-alt', where: ['<img>'] }]);
});

test('the screens, and the dialogs over them', async ({ page, api, own }) => {
  await expect(page.getByText('No projects yet')).toBeVisible();
  await look(page, 'projects-empty');
  const project_id = await makeProject(api, 'Machine hall', 'Presses and their cooling');
  await makeProject(api, 'Boiler room');
  await expect(page.getByRole('link', { name: 'Machine hall' })).toBeVisible();
  await look(page, 'projects');
  await page.getByRole('button', { name: 'Actions for Machine hall' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await look(page, 'projects-menu');
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit project' })).toBeVisible();
  await look(page, 'edit-project');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Actions for Machine hall' })).toBeFocused();
  await lookAtDialog(page, 'New project', 'new-project');
  await lookAtDialog(page, 'Keyboard shortcuts', 'keyboard-shortcuts');

  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByText('No devices yet')).toBeVisible();
  await look(page, 'devices-empty');
  await makeDevice(api, project_id, 'Press 5', { description: 'Spare', brand: 'Schuler', model: 'MSP 400' });
  const press = await makeDevice(api, project_id, 'Press 4', { tags: ['hydraulic', 'hall 2'] });
  await store(api, press, READINGS);
  await expect(page.getByRole('link', { name: 'Press 5' })).toBeVisible();
  await look(page, 'devices');
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('status:online,never ');
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await expect(page.getByRole('region', { name: 'Selected devices' })).toBeVisible();
  await look(page, 'devices-selected');
  for (const name of ['Filter (1)', 'Columns']) {
    await page.getByRole('button', { name }).click();
    await expect(page.getByRole('menu').first()).toBeVisible();
    await look(page, `devices-menu-${name.slice(0, 6).toLowerCase()}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
  }
  for (const name of ['Tag…', 'Export…', 'Move…', 'Delete…'])
    await lookAtDialog(page, name, `devices-${name.slice(0, -1).toLowerCase()}`);
  await page.getByRole('button', { name: 'More ways to add devices' }).click();
  await page.getByRole('menuitem', { name: 'Many from a list or CSV…' }).click();
  await page.getByRole('textbox', { name: 'List' }).fill('name,tags\nPT-1,a;b\n,x');
  await look(page, 'new-devices');
  // What was typed is dropped by the second one.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await lookAtDialog(page, 'New device', 'new-device-empty');
  await lookAtDialog(page, 'Delete project…', 'delete-project-unnamed');

  await visit(page, `#/projects/${project_id}/push`);
  await expect(page.getByRole('textbox', { name: 'Address of the lab' })).toBeVisible();
  await look(page, 'push');

  await visit(page, '#/api-keys');
  await expect(page.getByRole('button', { name: 'New API key' })).toBeVisible();
  await look(page, 'api-keys');
  await lookAtDialog(page, 'New API key', 'new-key-empty');
  await visit(page, '#/service');
  await expect(page.getByText('Running since')).toBeVisible();
  await look(page, 'service');
  await visit(page, '#/service/doors');
  await expect(page.getByRole('switch', { name: /Let devices/ })).toBeVisible();
  await look(page, 'service-doors');
  await visit(page, '#/service/storage');
  await expect(page.getByRole('table', { name: 'Size by project' })).toBeVisible();
  await look(page, 'service-storage');
  // What lies in a database is backed up by its own means.
  if (inFolder) await lookAtDialog(page, 'Back up with secrets…', 'back-up-secrets');
  await visit(page, '#/service/secrets');
  await page.getByRole('button', { name: 'Test the vault' }).click();
  await expect(page.getByText('The vault works.')).toBeVisible();
  await look(page, 'service-secrets');
  await visit(page, '#/service/settings');
  await expect(page.getByRole('textbox', { name: /^Days for which/ })).toBeVisible();
  await look(page, 'service-settings');
  await visit(page, '#/service/audit');
  await expect(page.getByRole('list', { name: 'Audit trail' })).toBeVisible();
  await look(page, 'service-audit');
  await own('POST', '/integrations/http', { key: 'x'.repeat(40), body: {} });
  await visit(page, '#/requests');
  await expect(page.getByRole('table', { name: 'Requests' })).toBeVisible();
  await look(page, 'requests');
  await visit(page, '#/nowhere');
  await expect(page.getByText('This address leads nowhere')).toBeVisible();
  await look(page, 'nowhere');
});

test('what was deleted', async ({ page, api }) => {
  const press = await makeDevice(api, await makeProject(api, 'Machine hall'), 'Press 4');
  await visit(page, '#/deleted');
  await expect(page.getByText('Nothing was deleted lately')).toBeVisible();
  await look(page, 'deleted-empty');
  await api('DELETE', `/_local/v1/projects/${press.project_id}/devices/${press.device_id}`);
  await expect(page.getByRole('button', { name: 'Restore Press 4' })).toBeVisible();
  await look(page, 'deleted');
  await lookAtDialog(page, 'Delete for good… Press 4', 'delete-for-good');
});

test('a theme changes in one step for who asks for less motion', async ({ page, api }) => {
  await makeProject(api, 'Machine hall');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'New project', exact: true }).click();
  const title = page.getByRole('dialog').getByRole('heading', { name: 'New project' });
  await expect(title).toBeVisible();
  const colours = await title.evaluate((element) => {
    const before = getComputedStyle(element).color;
    document.documentElement.setAttribute('data-mantine-color-scheme', 'dark');
    const after = getComputedStyle(element).color;
    return { before, after, moving: document.getAnimations().length };
  });
  expect(colours.after).not.toBe(colours.before);
  expect(colours.moving).toBe(0);
});

test('a device, and the dialogs over it', async ({ page, api, own }) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4', { tags: ['hydraulic', 'hall 2'] });
  await visitDevice(page, press);
  await expect(page.getByTestId('chart-empty')).toBeVisible();
  await look(page, 'device-never-seen');
  await store(api, press, READINGS);
  await expectChart(page, 600);
  await look(page, 'device-chart');
  for (const [button, name] of [
    ['Export…', 'export'],
    ['Edit device…', 'edit-device'],
    ['Purge data…', 'purge-data'],
    ['Delete device…', 'delete-device-unnamed'],
  ] as const)
    await lookAtDialog(page, button, name);
  await page.getByRole('button', { name: 'Export…' }).click();
  await lookAtDialog(page, 'Hand over…', 'hand-over');
  await visitDevice(page, press, 'table');
  await expect(page.getByRole('table', { name: 'Records' })).toContainText('running');
  await look(page, 'device-table');
  await visitDevice(page, press, 'keys');
  await expect(page.getByRole('table', { name: 'Keys' })).toContainText('oil_temperature');
  await look(page, 'device-keys');
  await own('POST', '/integrations/http', { key: press.token, body: { 'a,b': 1 } });
  await visitDevice(page, press, 'connect');
  await expect(page.getByRole('group', { name: 'Store a first reading' })).toBeVisible();
  await page.getByRole('button', { name: /a key must not contain/ }).click();
  await look(page, 'device-connect');
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await look(page, 'device-connect-code');
  await lookAtDialog(page, 'Renew token…', 'renew-token-asked');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Go to or do' })).toBeFocused();
  await look(page, 'palette');
});

test('the lists of a device, and what stands beside them', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  await store(api, press, READINGS);
  await visitDevice(page, press, 'keys');
  await page.getByRole('table', { name: 'Keys' }).getByRole('link').first().click();
  await expect(page.getByRole('textbox', { name: 'Shown as' })).toBeFocused();
  await look(page, 'device-key-settings');
  await visitDevice(page, press, 'notes');
  await page.getByRole('button', { name: 'New note…' }).click();
  await look(page, 'note');
  await page.getByRole('textbox', { name: 'Note' }).fill('Oil changed');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('table', { name: 'Notes' })).toBeVisible();
  await look(page, 'device-notes');
  await visitDevice(page, press, 'times');
  await expect(page.getByRole('navigation', { name: 'What is odd' })).toBeVisible();
  await look(page, 'device-times');
  await openAction(page, 'Report to print');
  await expect(page.getByRole('button', { name: /^Print/ })).toBeEnabled();
  await look(page, 'device-report');
});

test('files on their way in', async ({ page, api }) => {
  const press = await makeDevice(api, await makeProject(api, 'Machine hall'), 'Press 4');
  await visit(page, `#/projects/${press.project_id}/import`);
  await expect(page.getByRole('button', { name: 'Choose files…' })).toBeVisible();
  await look(page, 'import-empty');
  const lines = [
    'time,value,state',
    '2026-01-05 08:00:00,1.5,on',
    '2026-01-05 08:01:00,1.6,off',
    'never,1,on',
  ];
  const buffer = Buffer.from(lines.join('\n'));
  await page.getByLabel('File to import').setInputFiles({ name: 'press.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByText('1 row that cannot be read')).toBeVisible();
  await look(page, 'import');
  await page.getByRole('radio', { name: 'Skip the row and keep the others' }).check();
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(page.getByText('2 records imported')).toBeVisible();
  await look(page, 'import-over');
  const more = Buffer.from('time,t1\n2026-01-05T08:00:00Z,21.5\n');
  await page
    .getByLabel('File to import')
    .setInputFiles(['a.csv', 'b.csv'].map((name) => ({ name, mimeType: 'text/csv', buffer: more })));
  await page.getByRole('button', { name: /^a\.csv/ }).click();
  await expect(page.getByRole('status', { name: 'Files of this kind' })).toBeVisible();
  await look(page, 'import-kind');

  await visit(page, '#/import');
  await expect(page.getByRole('button', { name: 'Choose files…' })).toBeVisible();
  await look(page, 'look-empty');
  const head = ['Logger 7', 'Date;Loop 1;Loop 1;valve', ';Temperatur (°C);درجة الحرارة;', ';degC;K;'];
  const rows = [0, 1, 2, 3, 4, 5].map(
    (n) => `0${1 + n}.02.2026 08:00;2${n},5;${n === 2 ? 'off' : `1.01${n},3`};on`,
  );
  const text = Buffer.from([...head, ...rows, ''].join('\n'));
  await page
    .getByLabel('File to import')
    .setInputFiles({ name: 'loop.csv', mimeType: 'text/csv', buffer: text });
  await expect(page.getByRole('list', { name: 'Lines above the data' })).toBeVisible();
  await look(page, 'look-lines');
  await page.getByRole('button', { name: 'Names are here, line 3' }).click();
  await expect(page.getByRole('textbox', { name: 'Unit of Temperatur (°C)' })).toHaveValue('degC');
  await look(page, 'look-units');
});

test('what a device of MQTT is told', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('button', { name: 'Add the first device' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Meter');
  await page.getByRole('radio', { name: 'HTTP' }).press('ArrowRight');
  await page.getByRole('button', { name: 'Create device' }).click();
  await expect(page.getByRole('group', { name: 'Store a first reading' })).toBeVisible();
  await look(page, 'device-made-mqtt');
  await page.getByRole('button', { name: 'Open device' }).click();
  await page.getByRole('tab', { name: 'Connect' }).click();
  await expect(page.getByRole('status', { name: 'Listening' })).toContainText('no request yet');
  await look(page, 'device-mqtt');
  await page.getByRole('radio', { name: 'mosquitto_pub' }).press('ArrowRight');
  await expect(page.getByRole('group', { name: 'Store a first reading' })).toContainText('import publish');
  await look(page, 'device-mqtt-python');
  await page.getByRole('radio', { name: 'Arduino' }).press(' ');
  await expect(page.getByRole('group', { name: 'Store a first reading' })).toContainText('#include');
  await look(page, 'device-mqtt-arduino');
});
