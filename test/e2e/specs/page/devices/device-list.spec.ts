import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, test } from '../../../app.ts';
import { expectVisibleFocus } from '../../../steps/keyboard-steps.ts';
import { expectDone, makeProject, store, visit, type MadeDevice } from '../../../steps/steps.ts';

/* The list of a project's devices: what it tells at a glance, how one is found in it, and what is done with many. */

const QUARTER_MS = 900_000;

interface Made {
  readonly id: string;
  readonly name: string;
  readonly metadata: { readonly device_token: string };
}

async function makeDevices(api: Api, project_id: string, devices: readonly object[]): Promise<MadeDevice[]> {
  const path = `/_local/v1/projects/${project_id}/devices`;
  const { data } = await expectDone(api('POST', path, { body: { devices } }));
  return (data as Made[]).map(({ id, metadata }) => ({
    project_id,
    device_id: id,
    token: metadata.device_token,
  }));
}

const numbered = (count: number, more: (n: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, n) => ({ name: `PT-${101 + n}`, ...more(n) }));

/** A day of a sensor, in steps of a quarter of an hour, that drifts by so much on its way. */
function day(drift: number) {
  const now = Date.now();
  return Array.from({ length: 96 }, (_, i) => ({
    timestamp: new Date(now - (95 - i) * QUARTER_MS).toISOString(),
    temperature: 21 + Math.sin(i / 8) + (drift * i) / 95,
    humidity: 48.5,
    battery: 3.53,
    rssi: -70,
  }));
}

const list = (page: Page) => page.getByRole('table', { name: 'Devices' });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search devices' });

test('the one sensor of sixty that drifts is found at a glance', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant North');
  const sensors = await makeDevices(
    api,
    project_id,
    numbered(60, (n) => ({ tags: [`line-${n % 5}`] })),
  );
  for (const [n, sensor] of sensors.entries()) await store(api, sensor, day(n === 36 ? 4.6 : 0));
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('main')).toContainText('60 devices · 60 online');

  // By mouse: the newest values stand in columns of their own, and a column sorts by them. Three clicks.
  const header = list(page).getByRole('columnheader', { name: 'temperature', exact: true });
  await header.getByRole('button').click();
  await header.getByRole('button').click();
  await expect(list(page).getByRole('link').first()).toHaveText('PT-137');
  const first = list(page).getByRole('row').nth(1);
  await expect(first.getByRole('img', { name: /^temperature, last day: 2\d(\.\d+)? to 2\d/ })).toBeVisible();
  await list(page).getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'PT-137' })).toBeVisible();

  // By keyboard: the order is remembered, so that it is the first row. Three keys, of at most seventy.
  await page.goBack();
  await expect(list(page)).toBeVisible();
  const keys = ['/', 'ArrowDown', 'Enter'];
  for (const key of keys) await page.keyboard.press(key);
  await expect(page.getByRole('heading', { name: 'PT-137' })).toBeVisible();
  expect(keys.length).toBeLessThanOrEqual(70);
});

test('typed conditions become chips, and the address holds them', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  const made = await makeDevices(
    api,
    project_id,
    numbered(6, (n) => ({ tags: [n % 2 ? 'line-3' : 'line 4', 'x'], source: n < 4 ? 'http' : 'mqtt' })),
  );
  const [first] = made;
  if (!first) throw new Error('no device was made');
  await store(api, first, { bar: 1 });
  await visit(page, `#/projects/${project_id}`);
  const links = list(page).getByRole('link');
  await expect(links).toHaveCount(6);
  await search(page).pressSequentially('status:never tag:line-3 pt ');
  await expect(page.getByRole('button', { name: 'Remove the filter status:never' })).toBeVisible();
  await expect(links).toHaveText(['PT-102', 'PT-104', 'PT-106']);
  await expect(page.getByText('3 of 6 devices')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter tag:line-3' }).click();
  await expect(links).toHaveText(['PT-102', 'PT-103', 'PT-104', 'PT-105', 'PT-106']);

  // The menu does the same.
  await page.getByRole('button', { name: /^Filter/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'MQTT' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'not line-3' }).click();
  await page.keyboard.press('Escape');
  await expect(links).toHaveText(['PT-105']);
  await expect(page).toHaveURL(/q=status%3Anever%20source%3Amqtt%20-tag%3Aline-3%20pt/);
  await page.reload();
  await expect(links).toHaveText(['PT-105']);
  await links.first().click();
  await expect(page.getByRole('heading', { name: 'PT-105' })).toBeVisible();
  await page.goBack();
  await expect(links).toHaveText(['PT-105']);

  await search(page).fill('nowhere');
  await expect(page.getByText(/No device matches/)).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(links).toHaveCount(6);
});

test('columns are chosen, and remembered for the project', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  const [one] = await makeDevices(
    api,
    project_id,
    numbered(2, () => ({ brand: 'Acme', model: 'T10' })),
  );
  if (!one) throw new Error('no device was made');
  await store(api, one, { a: 1, b: 2, c: 3, state: 'idle' });
  await visit(page, `#/projects/${project_id}`);
  const header = (name: string) => list(page).getByRole('columnheader', { name, exact: true });
  await expect(header('a')).toBeVisible();
  await expect(list(page).getByRole('columnheader', { name: /^a, last day/ })).toBeVisible();
  // Nobody has a description.
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['Brand and model', 'Description'])
    await page.getByRole('menuitemcheckbox', { name }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Records' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'b', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(header('b')).toBeVisible();
  await expect(header('a')).toHaveCount(0);
  await expect(header('Brand and model')).toBeVisible();
  await expect(header('Description')).toHaveCount(0);
  await expect(header('Records')).toHaveCount(0);
  await visit(page, '#/');
  await visit(page, `#/projects/${project_id}`);
  await expect(header('b')).toBeVisible();
  await expect(header('Brand and model')).toBeVisible();
  // Those that have no column can still be chosen, the fourth one, too.
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['a', 'b', 'c', 'state'])
    await expect(page.getByRole('menuitemcheckbox', { name, exact: true })).toBeVisible();
});

test('a key that one device of many has can be chosen as a column', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  const devices = await makeDevices(api, project_id, numbered(60));
  for (const device of devices) await store(api, device, { a: 1, b: 2, c: 3 });
  // The list shows three keys of each: nothing in it tells that there is a fourth, of one in the middle.
  const [odd] = devices.slice(10);
  if (!odd) throw new Error('no device was made');
  await store(api, odd, { a: 1, b: 2, c: 3, rare: 4 });
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'rare', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(list(page).getByRole('columnheader', { name: 'rare', exact: true })).toBeVisible();
});

test('keys that follow one another are all heard, however far away the row is', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  await makeDevices(api, project_id, numbered(300));
  await visit(page, `#/projects/${project_id}`);
  await expect(list(page)).toBeVisible();
  const { keyboard } = page;
  await keyboard.press('/');
  await keyboard.press('ArrowDown');
  for (const key of ['End', 'ArrowUp', 'ArrowUp']) await keyboard.press(key);
  await expect(list(page).getByRole('link', { name: 'PT-398' })).toBeFocused();
  for (const key of ['Home', 'ArrowDown', 'ArrowUp', 'ArrowUp']) await keyboard.press(key);
  await expect(search(page)).toBeFocused();
});

test('rows are walked, ticked and extended by keyboard', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  await makeDevices(api, project_id, numbered(30));
  await visit(page, `#/projects/${project_id}`);
  await expect(list(page)).toBeVisible();
  const { keyboard } = page;
  const selected = page.getByRole('region', { name: 'Selected devices' });
  await keyboard.press('/');
  await keyboard.press('ArrowDown');
  await expect(list(page).getByRole('link', { name: 'PT-101' })).toBeFocused();
  await expectVisibleFocus(page);
  await keyboard.press('ArrowDown');
  await keyboard.press(' ');
  await expect(selected).toContainText('1 selected');
  await keyboard.press('Shift+ArrowDown');
  await keyboard.press('Shift+ArrowDown');
  await expect(selected).toContainText('3 selected');
  await expect(list(page).getByRole('checkbox', { name: 'Select PT-104' })).toBeChecked();
  await expect(list(page).getByRole('link', { name: 'PT-104' })).toBeFocused();
  await keyboard.press('ControlOrMeta+a');
  await expect(selected).toContainText('30 selected');
  await keyboard.press('End');
  await expect(list(page).getByRole('link', { name: 'PT-130' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(selected).toHaveCount(0);
  await keyboard.press('Home');
  await keyboard.press('ArrowUp');
  await expect(search(page)).toBeFocused();
  await keyboard.type('pt-107');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'PT-107' })).toBeVisible();
});

test('ticked devices are tagged, moved and deleted, and come back', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  const roof = await makeProject(api, 'Roof');
  const made = await makeDevices(
    api,
    project_id,
    numbered(5, () => ({ tags: ['old'] })),
  );
  for (const device of made) await store(api, device, [{ bar: 1 }, { bar: 2 }]);
  await visit(page, `#/projects/${project_id}`);
  const links = list(page).getByRole('link');
  await expect(links).toHaveCount(5);
  const selected = page.getByRole('region', { name: 'Selected devices' });
  const tick = (name: string, shift = false) =>
    list(page)
      .getByRole('checkbox', { name: `Select ${name}` })
      .click(shift ? { modifiers: ['Shift'] } : {});
  await tick('PT-101');
  await tick('PT-103', true);
  await expect(selected).toContainText('3 selected');

  await selected.getByRole('button', { name: 'Tag…' }).click();
  const tags = page.getByRole('dialog', { name: 'Tag 3 devices' });
  await tags.getByRole('combobox', { name: 'Add' }).fill('new');
  await tags.getByRole('combobox', { name: 'Add' }).press('Enter');
  await tags.getByRole('button', { name: 'Change tags' }).click();
  await expect(list(page).getByRole('row', { name: /PT-103/ })).toContainText('new');
  await expect(list(page).getByRole('row', { name: /PT-104/ })).not.toContainText('new');

  await selected.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 3 devices' });
  await expect(dialog.getByRole('table', { name: 'What would be removed' })).toContainText('6 records');
  await dialog.getByRole('button', { name: 'Delete devices' }).click();
  await expect(links).toHaveText(['PT-104', 'PT-105']);
  // That of the tags may still be on its way out.
  const deleted = page.getByRole('alert').filter({ hasText: '3 devices deleted' });
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(links).toHaveCount(5);

  await tick('PT-105');
  await selected.getByRole('button', { name: 'Move…' }).click();
  const move = page.getByRole('dialog', { name: /Move/ });
  await move.getByRole('combobox', { name: 'To project' }).click();
  await page.getByRole('option', { name: 'Roof' }).click();
  await move.getByRole('button', { name: 'Move', exact: true }).click();
  await visit(page, `#/projects/${roof}`);
  await expect(links).toContainText(['PT-105']);
});

test('many devices come from a pasted list, with what is wrong by its line', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('button', { name: 'Many from a list…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New devices' });
  const text = dialog.getByRole('textbox', { name: 'List' });
  await text.fill('name;tags;brand;colour\nPT-1;"a,b";Acme;red\n;x;;\nPT-3;;;');
  await expect(dialog).toContainText('1 line of 3 cannot be taken. Not used: “colour”.');
  await expect(dialog.getByRole('row', { name: /Line 3 has no name/ })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Create 3 devices' })).toBeDisabled();
  await text.fill('name;tags;brand\nPT-1;"a,b";Acme\nPT-3;;');
  await dialog.getByRole('button', { name: 'Create 2 devices' }).click();

  const done = page.getByRole('dialog', { name: '2 devices created' });
  const download = page.waitForEvent('download');
  await done.getByRole('button', { name: 'Save ids and tokens…' }).click();
  const [header, first] = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
  expect(header).toBe('name,device_id,device_token');
  expect(first).toMatch(/^PT-1,[0-9a-f-]{36},[0-9A-Za-z]{40}$/);
  const stored = await api('POST', '/integrations/http', {
    key: first?.split(',')[2] ?? '',
    body: { bar: 1 },
  });
  expect(stored.status).toBe(200);
  await done.getByRole('button', { name: 'Close' }).last().click();
  await expect(list(page).getByRole('row', { name: /PT-1/ })).toContainText('Online');

  // One more like it.
  await list(page).getByRole('button', { name: 'Actions for PT-3' }).click();
  await page.getByRole('menuitem', { name: 'Clone…' }).click();
  const clone = page.getByRole('dialog', { name: 'New device like “PT-3”' });
  await expect(clone.getByRole('textbox', { name: 'Name' })).toHaveValue('PT-4');
  await clone.getByRole('button', { name: 'Create device' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(list(page).getByRole('link')).toHaveText(['PT-1', 'PT-3', 'PT-4']);
});
