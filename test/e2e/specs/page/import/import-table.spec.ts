import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import { countClicks, file, panel } from '../../../steps/import-steps.ts';
import { tabTo } from '../../../steps/keyboard-steps.ts';
import { dropFiles } from '../../../files.ts';
import { dataPath, makeProject, visit } from '../../../steps/steps.ts';

/* The table is the form: what a technician has to do before a file of each kind is in, counted. */

/** Drops files on a project, and waits until they were looked at. */
async function drop(page: Page, project_id: string, paths: readonly string[]): Promise<void> {
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, paths);
}

async function keysAndUnits(api: Api, project_id: string) {
  const { data } = await api('GET', `/_local/v1/projects/${project_id}/key-settings`);
  return (data as { readonly key: string; readonly unit: string }[])
    .map(({ key, unit }) => `${key} ${unit}`)
    .toSorted();
}

const minute = (n: number) =>
  new Date(Date.UTC(2026, 9, 20, 6, n)).toISOString().slice(0, 16).replace('T', ' ');

test('the first file into an empty app is in after a drop and a click, with a project and a device called after it', async ({
  page,
  api,
  dataDirectory,
}) => {
  const path = join(dataDirectory, 'Kesselhaus Süd.csv');
  const rows = Array.from({ length: 60 }, (_, n) => `${minute(n)};${20 + n},5;1013,${n % 9}`);
  const text = ['Zeit;Temperatur (°C);Druck hPa', ...rows, ''].join('\r\n');
  await writeFile(path, text, 'latin1');
  await visit(page, '#/');
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible();
  const clicks = await countClicks(page);
  await dropFiles(page, [path]);
  await expect(page.getByRole('heading', { name: 'Look at files' })).toBeVisible();
  const shown = panel(page, 'Kesselhaus Süd.csv');
  // The encoding is guessed and said, units stand where they belong, and each column is seen.
  await expect(shown).toContainText('Read as Windows-1252: “Temperatur (°C)”');
  await expect(file(page, 'Kesselhaus Süd.csv')).toContainText(/Ready$/);
  await expect(shown.getByRole('textbox', { name: 'Key of Temperatur (°C)' })).toHaveValue('Temperatur');
  await expect(shown.getByRole('textbox', { name: 'Unit of Druck hPa' })).toHaveValue('hPa');
  await expect(shown.getByRole('img', { name: 'Temperatur: 20.5 … 79.5' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name of the project' })).toHaveValue('Kesselhaus Süd');
  await shot(page, 'import-look');
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(panel(page, 'Kesselhaus Süd.csv')).toContainText('60 records imported');
  expect(await clicks(), 'clicks beside the drop').toBe(1);
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Kesselhaus Süd');
  const { data } = await api('GET', '/_local/v1/projects');
  const [project] = data as { readonly id: string; readonly name: string }[];
  expect(project?.name).toBe('Kesselhaus Süd');
  expect(await keysAndUnits(api, project?.id ?? '')).toEqual(['Druck hPa', 'Temperatur °C']);
});

test('a file that is dropped on a screen without a place of its own is looked at, and goes where it is sent', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const path = join(dataDirectory, 'one.csv');
  await writeFile(path, 'time,bar\n2026-01-05T08:00:00Z,1\n2026-01-05T08:01:00Z,2\n');
  for (const address of ['#/', '#/api-keys', '#/service', '#/compare']) {
    await visit(page, address);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    await dropFiles(page, [path]);
    await expect(panel(page, 'one.csv')).toBeVisible();
    // Nobody has said yet where it belongs.
    await expect(page.getByRole('button', { name: 'Import 1 file' })).toBeDisabled();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  }
  await dropFiles(page, [path]);
  await page.getByRole('combobox', { name: 'Into the project' }).click();
  await page.getByRole('option', { name: 'Line 2' }).click();
  await expect(page).toHaveURL(new RegExp(`/projects/${project_id}/import$`));
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(panel(page, 'one.csv')).toContainText('2 records imported');
});

test('a file is looked at, named and imported by the keyboard alone, from the search for everything', async ({
  page,
}) => {
  await visit(page, '#/');
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible();
  const { keyboard } = page;
  await keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Go to or do' })).toBeFocused();
  await keyboard.type('look at files');
  await expect(page.locator('[data-selected]').first()).toContainText('Look at files');
  await keyboard.press('Enter');
  const asked = page.waitForEvent('filechooser');
  await expect(page.getByRole('button', { name: 'Choose files…' })).toBeVisible();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  const buffer = Buffer.from('time;bar;state\n2026-01-05 08:00;1,5;on\n2026-01-05 08:01;1,6;off\n');
  await (await asked).setFiles({ name: 'pump 7.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByRole('button', { name: 'Import 1 file' })).toBeFocused();
  // From there back to every choice: the name of a column, and whether another comes in.
  const [key, tick] = [
    page.getByRole('textbox', { name: 'Key of bar' }),
    page.getByRole('checkbox', { name: 'Import state' }),
  ];
  await expect(page.getByRole('status', { name: 'The whole file' })).toContainText('2 records');
  for (let steps = 0; steps < 40 && !(await tick.evaluate((one) => one === document.activeElement)); steps++)
    await keyboard.press('Shift+Tab');
  await keyboard.press('Space');
  await expect(tick).not.toBeChecked();
  for (let steps = 0; steps < 10 && !(await key.evaluate((one) => one === document.activeElement)); steps++)
    await keyboard.press('Shift+Tab');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('pressure');
  await keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Key of bar' })).toHaveValue('pressure');
  await page.getByRole('button', { name: 'Import 1 file' }).focus();
  await keyboard.press('Enter');
  await expect(panel(page, 'pump 7.csv')).toContainText('2 records imported');
  // The ring of the focus is whole where a list begins.
  for (const button of [
    file(page, 'pump 7.csv'),
    panel(page, 'pump 7.csv').getByRole('button', { name: 'Open the device' }),
  ]) {
    await tabTo(page, button);
    const room = await button.evaluate((element) => {
      const frame = element.closest('nav, section')!.getBoundingClientRect();
      const { left, top } = element.getBoundingClientRect();
      return Math.min(left - frame.left, top - frame.top);
    });
    expect(room).toBeGreaterThanOrEqual(4);
  }
});

test('two header lines and a row of units take one click', async ({ page, api, dataDirectory }) => {
  const project_id = await makeProject(api, 'Loop');
  const path = join(dataDirectory, 'loop.txt');
  const rows = Array.from({ length: 30 }, (_, n) => `${minute(n)}\t${59 + n / 10}\t${44 - n / 10}\t12.0${n}`);
  const head = [
    'Logger TX-400',
    'Date\tLoop 1\tLoop 1\tLoop 2',
    'Time\tInlet\tOutlet\tFlow',
    '\tdegC\tdegC\tl/min',
  ];
  await writeFile(path, [...head, ...rows, ''].join('\n'));
  await drop(page, project_id, [path]);
  const shown = panel(page, 'loop.txt');
  const lines = shown.getByRole('list', { name: 'Lines above the data' });
  await shot(page, 'import-lines');
  const clicks = await countClicks(page);
  await lines.getByRole('button', { name: 'Names are here, line 3' }).click();
  for (const [name, unit] of [
    ['Inlet', 'degC'],
    ['Outlet', 'degC'],
    ['Flow', 'l/min'],
  ] as const)
    await expect(shown.getByRole('textbox', { name: `Unit of ${name}` })).toHaveValue(unit);
  expect(await clicks()).toBe(1);
  await shown.getByRole('button', { name: /^1–3 *3 lines above, names in line 3/ }).click();
  await expect(lines.getByRole('listitem')).toHaveText([/^1Logger/, /^2Date/, /^3Time/, /^4\tdegC.*units/]);
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(shown).toContainText('30 records imported');
  expect(await keysAndUnits(api, project_id)).toEqual(['Flow l/min', 'Inlet degC', 'Outlet degC']);
});

test('a title that a spreadsheet has filled up with separators takes no click', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Loop');
  const path = join(dataDirectory, 'sheet.csv');
  const rows = Array.from({ length: 30 }, (_, n) => `${minute(n)};${59 + n};4${n % 10},5;`);
  const head = ['Logger 4711;;;', ';;;', 'Serial;12345;;', 'Zeit;Vorlauf (°C);Druck hPa;'];
  await writeFile(path, [...head, ...rows, ''].join('\r\n'), 'latin1');
  await drop(page, project_id, [path]);
  const shown = panel(page, 'sheet.csv');
  const clicks = await countClicks(page);
  await expect(shown.getByRole('textbox', { name: 'Unit of Vorlauf (°C)' })).toHaveValue('°C');
  await expect(file(page, 'sheet.csv')).toContainText(/Ready$/);
  await expect(shown.getByRole('button', { name: /4 lines above, names in line 4/ })).toContainText(
    'Logger 4711',
  );
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(shown).toContainText('30 records imported');
  expect(await clicks()).toBe(1);
  expect(await keysAndUnits(api, project_id)).toEqual(['Druck hPa', 'Vorlauf °C']);
});

test('of 300 columns as many as a record holds come in by one click, and are found by their names', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Wide');
  const path = join(dataDirectory, 'wide.csv');
  const names = Array.from({ length: 300 }, (_, n) => `channel_${String(n).padStart(3, '0')} (bar)`);
  const rows = Array.from({ length: 20 }, (_, n) =>
    [`${minute(n)}Z`, ...names.map((__, at) => at + n)].join(),
  );
  await writeFile(path, [`time,${names.join()}`, ...rows, ''].join('\n'));
  await drop(page, project_id, [path]);
  const shown = panel(page, 'wide.csv');
  await expect(file(page, 'wide.csv')).toContainText('Needs a choice');
  await expect(shown.getByRole('status', { name: 'Columns' })).toHaveText(
    '300 of 300 columns: a record holds at most 256',
  );
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await shot(page, 'import-wide');
  const clicks = await countClicks(page);
  await shown.getByRole('button', { name: 'First 256' }).click();
  await expect(file(page, 'wide.csv')).toContainText('Ready');
  expect(await clicks()).toBe(1);
  await expect(shown.getByRole('status', { name: 'Columns' })).toHaveText('256 of 300 columns');
  // Or some of them: none, then those that are found.
  await shown.getByRole('button', { name: 'None', exact: true }).click();
  await expect(file(page, 'wide.csv')).toContainText('Needs a choice');
  await shown.getByRole('searchbox', { name: 'Find a column' }).fill('channel_29');
  await shown.getByRole('button', { name: 'All 10 found' }).click();
  await expect(shown.getByRole('status', { name: 'Columns' })).toHaveText('10 of 300 columns');
  await expect(shown.getByRole('checkbox', { name: 'Import channel_299 (bar)' })).toBeChecked();
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(shown).toContainText('20 records imported');
  const { data } = await api('GET', `/_local/v1/projects/${project_id}/devices`);
  const [device] = data as { readonly id: string }[];
  const stored = await api(
    'GET',
    `${dataPath({ project_id, device_id: device?.id ?? '' })}?page=1&limit=1&range=all`,
  );
  expect(Object.keys((stored.data as object[])[0] ?? {})).toEqual([
    'timestamp',
    ...Array.from({ length: 10 }, (_, n) => `channel_29${n}`),
  ]);
});

test('cells that do not fit are counted over the whole file, and shown as they are stored', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const path = join(dataDirectory, 'odd.csv');
  const rows = Array.from({ length: 9000 }, (_, n) => {
    const time = new Date(Date.UTC(2026, 9, 20, 6, 0, n)).toISOString();
    return `${time},${n % 50},${n === 1 || n >= 8990 ? 'sensor off' : n % 7}`;
  });
  await writeFile(path, ['time,bar,flow', ...rows, ''].join('\n'));
  await drop(page, project_id, [path]);
  const shown = panel(page, 'odd.csv');
  await expect(shown.getByRole('columnheader', { name: /^flow/ })).toContainText('11 do not fit: sensor off');
  await expect(shown.getByRole('columnheader', { name: /^bar/ })).not.toContainText('fit');
  await expect(shown.getByRole('cell', { name: 'sensor off' })).toBeVisible();
  await shot(page, 'import-misfits');
});

test('the sentence stays where it is, whatever is chosen, and a wrong order of dates is seen', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const path = join(dataDirectory, `${'a very long name of a logger '.repeat(4)}.csv`);
  const rtl = 'درجة الحرارة في غرفة المعدات الشمالية (°C)';
  const rows = Array.from(
    { length: 40 },
    (_, n) => `0${1 + (n % 9)}/0${1 + (n % 3)}/2026 0${n % 10}:00;${n},5;x`,
  );
  await writeFile(path, [`time;${rtl};${'n'.repeat(120)}`, ...rows, ''].join('\n'));
  await drop(page, project_id, [path]);
  const line = page.getByRole('group', { name: 'How the file is read' });
  const choices = ['Encoding', 'Fields are separated by', 'Date order', 'Decimal mark', 'Time zone'];
  for (const name of choices) await expect(line.getByRole('combobox', { name })).toBeVisible();
  const place = await line.boundingBox();
  await line.getByRole('combobox', { name: 'Date order' }).click();
  await page.getByRole('option', { name: 'Month first' }).click();
  await expect(line.getByRole('combobox', { name: 'Date order' })).toHaveValue('Month first');
  await expect(page.getByRole('status', { name: 'The whole file' })).toContainText('record');
  expect(await line.boundingBox()).toEqual(place);
  await expect(page.getByRole('textbox', { name: `Key of ${rtl}` })).toHaveValue(rtl.replace(' (°C)', ''));
  // Nothing is pushed out of the window but the table's own columns.
  expect(
    await page.getByRole('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0);
  await shot(page, 'import-long-names');
  // In a narrow window, too, a word stands before its choice.
  await page.setViewportSize({ width: 820, height: 600 });
  const zone = await line.getByRole('combobox', { name: 'Time zone' }).boundingBox();
  const words = await line.getByText('times in').boundingBox();
  expect(words!.y).toBeGreaterThan(zone!.y);
  expect(words!.y + words!.height).toBeLessThan(zone!.y + zone!.height);
  expect(words!.x + words!.width).toBeLessThanOrEqual(zone!.x);
});
