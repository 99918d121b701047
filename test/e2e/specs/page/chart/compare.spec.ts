import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import { tickFigures } from '../../../steps/chart-steps.ts';
import { violationsIn } from '../../../axe.ts';
import { makeDevice, makeProject, store, visit, type MadeDevice } from '../../../steps/steps.ts';

/* Several devices on one chart: over one another, above one another, and what lies between them. */

const START = Date.UTC(2026, 0, 5, 8);
const MINUTES = 240;

/** A device that reads a temperature every minute, `above` the others, beginning `late` minutes after them. */
async function sensor(
  api: Api,
  project_id: string,
  name: string,
  above: number,
  late = 0,
): Promise<MadeDevice> {
  const device = await makeDevice(api, project_id, name);
  await store(
    api,
    device,
    Array.from({ length: MINUTES }, (_, minute) => ({
      timestamp: new Date(START + (minute + late) * 60_000).toISOString(),
      temperature: 20 + 5 * Math.sin(minute / 30) + above,
      humidity: 40 + above,
    })),
  );
  return device;
}

async function line(api: Api, names: readonly string[]): Promise<MadeDevice[]> {
  const project_id = await makeProject(api, 'Plant North');
  const devices: MadeDevice[] = [];
  for (const [index, name] of names.entries()) devices.push(await sensor(api, project_id, name, index * 2));
  return devices;
}

const compare = (page: Page) => page.getByTestId('compare');

async function expectCompared(page: Page, points: number): Promise<void> {
  await expect(compare(page)).toHaveAttribute('data-state', 'ready');
  await expect(compare(page)).toHaveAttribute('data-points', String(points));
}

/** The row of a line in the legend. */
const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Lines of the chart' }).getByRole('row').filter({ hasText: name });

const figure = (page: Page, name: string, id: string) => row(page, name).locator(`[data-figure="${id}"]`);

const addressOf = (devices: readonly MadeDevice[], rest = '') =>
  `#/compare?d=${devices.map(({ device_id }) => device_id).join(',')}${rest}`;

test('devices are laid over one another, above one another, and one taken away from the other', async ({
  page,
  api,
}) => {
  const devices = await line(api, ['PT-107', 'PT-108', 'PT-109']);
  await visit(page, addressOf(devices, '&k=temperature'));
  await expectCompared(page, 3 * MINUTES);
  const chart = page.getByRole('group', { name: 'Chart of PT-107, PT-108, PT-109 over time' });
  await expect(chart).toBeVisible();
  await tickFigures(page, 'n');
  await expect(figure(page, 'PT-108', 'n')).toHaveText('240');
  await expect(figure(page, 'PT-107', 'max')).toHaveText(/^25/);
  await shot(page, 'compare-overlay');

  await page.getByText('Stacked', { exact: true }).click();
  await expect(compare(page).locator('[data-pane]')).toHaveCount(3);
  await shot(page, 'compare-stacked');

  await page.getByText('Difference', { exact: true }).click();
  await expect(row(page, 'PT-107 − PT-108')).toBeVisible();
  await expect(figure(page, 'PT-107 − PT-108', 'mean')).toHaveText('−2');
  await expect(figure(page, 'PT-107 − PT-109', 'max')).toHaveText('−4');
  await expect(page.getByTestId('zero')).toBeVisible();
  await shot(page, 'compare-difference');

  // What is shown is in the address, and comes back.
  await expect(page).toHaveURL(/mode=difference/);
  await page.reload();
  await expect(figure(page, 'PT-107 − PT-108', 'mean')).toHaveText('−2');
});

test('a device is added from a list that has its neighbours first, and taken away again', async ({
  page,
  api,
}) => {
  const [first] = await line(api, ['PT-107', 'Boiler', 'PT-108', 'PT-3']);
  await visit(page, addressOf([first!]));
  await expectCompared(page, MINUTES);
  await page.getByRole('button', { name: 'Add device' }).click();
  const list = page.getByRole('dialog', { name: 'Add device' }).getByRole('group', { name: 'Devices' });
  await expect(list.getByRole('button')).toHaveText(['PT-108', 'PT-3', 'Boiler']);
  await page.getByRole('textbox', { name: 'Search devices' }).fill('boil');
  await page.keyboard.press('Enter');
  await expectCompared(page, 2 * MINUTES);
  await expect(row(page, 'Boiler')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Boiler' }).click();
  await expectCompared(page, MINUTES);
  await expect(row(page, 'Boiler')).toHaveCount(0);
});

test('recordings of different days are moved over one another', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Runs');
  const before = await sensor(api, project_id, 'Run 1', 0);
  const after = await sensor(api, project_id, 'Run 2', 1, 10_000);
  await visit(page, addressOf([before, after], '&k=temperature&mode=difference'));
  await expectCompared(page, 2 * MINUTES);
  await tickFigures(page, 'n', 'sd');
  // They never speak at the same time.
  await expect(figure(page, 'Run 1 − Run 2', 'n')).toHaveText('0');
  await page.getByText('From start').click();
  await expect(figure(page, 'Run 1 − Run 2', 'n')).toHaveText(String(MINUTES));
  await expect(figure(page, 'Run 1 − Run 2', 'mean')).toHaveText('−1');
  await page.getByRole('textbox', { name: 'Shift of Run 2 in seconds' }).fill('60');
  await expect(figure(page, 'Run 1 − Run 2', 'sd')).not.toHaveText('0');
  await expect(page).toHaveURL(/align=start&shift=[^&]+:60/);
});

test('devices of one name are told apart, and those that are gone are left out', async ({ page, api }) => {
  const [first, second] = await line(api, ['Twin', 'Twin']);
  await visit(page, addressOf([first!, second!]) + ',gone&k=temperature');
  await expectCompared(page, 2 * MINUTES);
  await expect(row(page, `Twin (${first!.device_id.slice(0, 4)})`)).toBeVisible();
  await expect(row(page, `Twin (${second!.device_id.slice(0, 4)})`)).toBeVisible();
  await expect(page.getByText('1 of the devices in this address is not here any more.')).toBeVisible();
});

test('what is true or false is no line here either, and its name says where it is seen', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant North');
  const devices = await Promise.all(['PT-101', 'PT-102'].map((name) => makeDevice(api, project_id, name)));
  for (const device of devices)
    await store(
      api,
      device,
      Array.from({ length: 20 }, (_, minute) => ({
        timestamp: new Date(START + minute * 60_000).toISOString(),
        ok: minute % 7 !== 0,
        pressure: 2 + minute / 10,
      })),
    );
  await visit(page, addressOf(devices, '&k=ok'));
  await expectCompared(page, 40);
  const lineOf = (key: string) => page.locator(`tr[data-line$=" ${key}"]`);
  await expect(lineOf('pressure')).toHaveCount(2);
  await expect(lineOf('ok')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Keys to compare' }).click();
  const state = page.getByRole('option', { name: 'ok: a state, on the chart of each device' });
  await expect(state).toBeVisible();
  await expect(state).toBeDisabled();
});

test('everything works by keyboard, and nothing scrolls sideways', async ({ page, api }) => {
  const devices = await line(api, ['PT-107', 'PT-108']);
  await visit(page, addressOf(devices, '&k=temperature'));
  await expectCompared(page, 2 * MINUTES);
  const chart = page.getByRole('group', { name: /^Chart of PT-107/ });
  await tickFigures(page, 'n');
  await chart.focus();
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/from=/);
  await expect(figure(page, 'PT-108', 'n')).toHaveText('120');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('0');
  await expect(figure(page, 'PT-108', 'n')).toHaveText('240');
  for (const viewport of [
    { width: 820, height: 600 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await violationsIn(page)).toEqual([]);
  }
});

test('an empty comparison says what to do', async ({ page, api }) => {
  await line(api, ['PT-107']);
  await visit(page, '#/compare');
  await expect(page.getByText('Nothing to compare yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add device' }).click();
  await page.getByRole('button', { name: 'PT-107' }).click();
  await expectCompared(page, MINUTES);
});

test('a comparison is handed over as a picture, and fills the screen', async ({ page, api }) => {
  const devices = await line(api, ['PT-107', 'PT-108']);
  await visit(page, addressOf(devices, '&k=temperature'));
  await expectCompared(page, 2 * MINUTES);
  await page.getByRole('button', { name: 'Full screen (F)' }).click();
  const box = () => compare(page).boundingBox();
  await expect.poll(box).toMatchObject({ x: 0, y: 0 });
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await box())?.y ?? 0).toBeGreaterThan(50);
  await page.getByRole('button', { name: 'Picture' }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as SVG' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('PT-107+PT-108_2026-01-05.svg');
  const svg = (await readFile(await download.path())).toString();
  const parsed = await page.evaluate((text) => {
    const parsedSvg = new DOMParser().parseFromString(text, 'image/svg+xml');
    return {
      problem: parsedSvg.querySelector('parsererror')?.textContent ?? null,
      lines: parsedSvg.querySelectorAll('path[stroke-linejoin]').length,
      text: parsedSvg.documentElement.textContent,
    };
  }, svg);
  expect(parsed).toMatchObject({ problem: null, lines: 2 });
  expect(parsed.text).toContain('PT-108');
});

test('devices that are ticked in the list are compared, and what is saved of it has its name', async ({
  page,
  api,
}) => {
  const devices = await line(api, ['PT-107', 'PT-108', 'PT-109']);
  await visit(page, `#/projects/${devices[0]?.project_id}`);
  const button = page
    .getByRole('region', { name: 'Selected devices' })
    .getByRole('button', { name: 'Compare' });
  await page.getByRole('checkbox', { name: 'Select PT-107' }).click();
  await expect(button).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Select PT-109' }).click();
  await button.click();
  await expectCompared(page, 2 * MINUTES);
  await expect(page.getByRole('group', { name: 'Chart of PT-107, PT-109 over time' })).toBeVisible();
  await expect(page).toHaveURL(/[?&]k=humidity/);

  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Both ends');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Both ends');
  await page.getByText('Stacked', { exact: true }).click();
  await expect(heading).toHaveText('Compare');
  await visit(page, '#/views');
  await page.getByRole('link', { name: 'Both ends' }).click();
  await expect(heading).toHaveText('Both ends');
  await expectCompared(page, 2 * MINUTES);
});

test('a device without the chosen key is named, and nothing waits for its records', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant North');
  const full = await sensor(api, project_id, 'PT-107', 0);
  const other = await makeDevice(api, project_id, 'Meter');
  await store(api, other, [{ energy: 12 }]);
  await visit(page, addressOf([full, other], '&k=temperature'));
  await expectCompared(page, MINUTES);
  await expect(page.getByRole('note')).toHaveText('“Meter” has no numbers of “temperature”.');
  await expect(page.getByText('240 records compared')).toBeVisible();

  await page.getByText('Difference', { exact: true }).click();
  await expect(page.getByRole('note')).toContainText(
    'A difference is drawn of a key that the first device and another one have.',
  );
});
