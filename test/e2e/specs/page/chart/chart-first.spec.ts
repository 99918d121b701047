import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, test } from '../../../app.ts';
import { drag, openMore, pickRange, tickFigures } from '../../../steps/chart-steps.ts';
import { look } from '../../../look.ts';
import {
  expectChart,
  makeDevice,
  makeProject,
  store,
  visitDevice,
  type MadeDevice,
} from '../../../steps/steps.ts';

/* A device's chart as it is met: head, bar, plots of unlike keys, and the figures below them. */

const START = Date.UTC(2026, 10, 17);
const RECORDS = 600;
const SIZES = [
  { width: 820, height: 600 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const reading = (n: number) => ({
  timestamp: new Date(START + n * 60_000).toISOString(),
  battery: 3.6 - n / 10_000,
  humidity: 50 + 10 * Math.sin(n / 45),
  rssi: -65 + (n % 9) - 4,
  temperature: 21 + 3 * Math.sin(n / 45),
});

async function showPlant(
  page: Page,
  api: Api,
  more: Readonly<Record<string, unknown>> = {},
): Promise<MadeDevice> {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'PT-137', more);
  await store(
    api,
    device,
    Array.from({ length: RECORDS }, (_, n) => reading(n)),
  );
  await visitDevice(page, device);
  await expectChart(page, RECORDS);
  return device;
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Chart' });
const row = (page: Page, key: string) => page.locator(`tr[data-line="${key}"]`);
const figure = (page: Page, key: string, name: string) => row(page, key).locator(`[data-figure=${name}]`);

test('name, status and facts are whole at every width, and no button is louder than they are', async ({
  page,
  api,
}) => {
  await showPlant(page, api, {
    tags: ['line-3', 'hall 2 north', 'oil'],
    description: 'Oil pump behind the east wall, under the second crane',
  });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const words of [
      'PT-137',
      'Online',
      '600 records',
      'line-3',
      'hall 2 north',
      'under the second crane',
    ]) {
      const said = page.getByRole('main').locator('header').getByText(words).first();
      await expect(said).toBeInViewport({ ratio: 1 });
      const isCut = await said.evaluate(
        (part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0,
      );
      expect(isCut, `${words} at ${size.width} px`).toBe(false);
    }
  }
  const fill = (name: string) =>
    page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor);
  expect(await fill('Import…')).toBe(await fill('Export…'));
});

test('the bar has what can be used now, and ways back once there are any', async ({ page, api }) => {
  await showPlant(page, api);
  const names = () =>
    bar(page)
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
  await expect.poll(names).toEqual(['Range: All time', 'Live', 'Compare', 'More of the chart']);
  const place = await bar(page).getByRole('button', { name: 'Compare' }).boundingBox();
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('+');
  await expect(bar(page).getByRole('button', { name: /^Back to the view before/ })).toBeEnabled();
  await page.keyboard.press('Backspace');
  await expect(bar(page).getByRole('button', { name: 'Forward again' })).toBeEnabled();
  // What was there has not moved.
  await expect.poll(() => bar(page).getByRole('button', { name: 'Compare' }).boundingBox()).toEqual(place);
  await page.getByRole('button', { name: 'More of the chart' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitemcheckbox', { name: 'Stacked' })).toBeFocused();
  await look(page, 'chart-more');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /value axes/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'More of the chart' })).toBeFocused();
});

test('the last five minutes, live, are two clicks away', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'Rig');
  const now = Date.now();
  await store(api, device, [
    { timestamp: new Date(now - 3_600_000).toISOString(), force: 1 },
    { timestamp: new Date(now - 60_000).toISOString(), force: 2 },
  ]);
  await visitDevice(page, device);
  await expectChart(page, 2);
  await pickRange(page, 'Last 5 minutes');
  await expectChart(page, 1);
  await expect(bar(page).getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'true');
  await store(api, device, { force: 3 });
  await expectChart(page, 2);
});

test('unlike keys begin above one another, and how somebody wants them is kept', async ({ page, api }) => {
  const device = await showPlant(page, api);
  const panes = page.locator('[data-pane]');
  await expect(panes).toHaveCount(4);
  await expect(page).not.toHaveURL(/stacked/);
  // Hiding does not change the form.
  await row(page, 'rssi').getByRole('checkbox').click();
  await expect(panes).toHaveCount(3);
  await row(page, 'rssi').getByRole('checkbox').click();
  await expect(panes).toHaveCount(4);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    // The legend begins right below the plots.
    await expect(async () => {
      const plot = await page.getByRole('group', { name: /^Chart of/ }).boundingBox();
      const legend = await page.getByTestId('chart-readout').boundingBox();
      expect((legend?.y ?? Infinity) - (plot?.y ?? 0) - (plot?.height ?? 0)).toBeLessThanOrEqual(16);
    }).toPass();
  }
  await openMore(page, 'Stacked');
  await expect(panes).toHaveCount(0);
  await expect(page).toHaveURL(/stacked=0/);
  await page.getByRole('link', { name: 'Plant' }).first().click();
  await visitDevice(page, device);
  await expectChart(page, RECORDS);
  await expect(page.locator('.u-over')).toHaveCount(1);
  await openMore(page, 'Stacked');
  await expect(panes).toHaveCount(4);
});

test('while a span is selected the figures are its own', async ({ page, api }) => {
  await showPlant(page, api);
  await tickFigures(page, 'n');
  await expect(figure(page, 'battery', 'n')).toHaveText('600');
  await drag(page, 0.25, 0.75);
  await expect(page.getByTestId('figures-of')).toHaveText(/^Of the selected [45] h/);
  const selection = page.getByRole('toolbar', { name: 'Selection' });
  await expect(selection).toContainText(/\d+ records/);
  const [, records = ''] = /(\d+) records/.exec((await selection.textContent()) ?? '') ?? [];
  await expect(figure(page, 'battery', 'n')).toHaveText(records);
  expect(Number(records)).toBeLessThan(310);
  await look(page, 'chart-selected-figures');
  await page.keyboard.press('Escape');
  await expect(figure(page, 'battery', 'n')).toHaveText('600');
  await expect(page.getByTestId('figures-of')).toHaveCount(0);
});

test('a legend has five figures, and the others by choice, which is kept', async ({ page, api }) => {
  const device = await showPlant(page, api);
  const heads = page.getByRole('table', { name: 'Lines of the chart' }).getByRole('columnheader');
  await expect(heads).toHaveText(['Key', 'newest', 'unit', 'min', 'max', 'mean', 'gaps']);
  await page.getByRole('button', { name: 'Figures', exact: true }).click();
  await look(page, 'chart-figures-menu');
  await page.keyboard.press('Escape');
  await tickFigures(page, 'gaps', 'p95');
  await expect(heads).toHaveText(['Key', 'newest', 'unit', 'min', 'max', 'mean', 'p95']);
  await page.reload();
  await visitDevice(page, device);
  await expect(heads).toHaveText(['Key', 'newest', 'unit', 'min', 'max', 'mean', 'p95']);
});

test('figures are copied with tabs between them: a row, what is selected, all of them', async ({
  page,
  api,
  host,
}) => {
  test.skip(host !== 'console', 'other hosts may not read what was copied');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await showPlant(page, api);
  await expect(figure(page, 'rssi', 'mean')).toHaveText(/65/);
  const copied = async () =>
    (await page.evaluate(() => navigator.clipboard.readText())).split('\n').map((line) => line.split('\t'));
  const HEADS = ['Key', 'newest', 'unit', 'min', 'max', 'mean', 'gaps'];
  const ofKey = (key: 'rssi' | 'battery') => {
    const numbers = Array.from({ length: RECORDS }, (_, n) => reading(n)[key]);
    return [key, String(numbers.at(-1)), '', String(Math.min(...numbers)), String(Math.max(...numbers))];
  };

  await row(page, 'rssi').getByRole('checkbox').focus();
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(async () => (await copied())[0]).toEqual(HEADS);
  const [, own = [], ...others] = await copied();
  expect(own.slice(0, 5)).toEqual(ofKey('rssi'));
  expect(Number(own[5])).toBeCloseTo(-65, 1);
  expect(others).toEqual([]);

  const select = (from: string, to: string) =>
    page.evaluate(
      ([start, end]) => {
        const cell = (at: string) => document.querySelector(at)!.firstChild!;
        getSelection()?.setBaseAndExtent(cell(start!), 0, cell(end!), 1);
      },
      [from, to],
    );
  await select('[data-line=humidity] [data-figure=min]', '[data-line=temperature] [data-figure=max]');
  await page.keyboard.press('ControlOrMeta+c');
  await expect
    .poll(async () => (await copied()).map(([key]) => key))
    .toEqual(['Key', 'humidity', 'rssi', 'temperature']);
  // A number by itself is itself, to the last digit.
  await select('[data-line=battery] [data-figure=min]', '[data-line=battery] [data-figure=min]');
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(async () => (await copied())[0]).toEqual([ofKey('battery')[3]]);

  await openMore(page, 'Copy figures');
  await expect(page.getByText('Figures copied')).toBeVisible();
  const all = await copied();
  expect(all[0]).toEqual(HEADS);
  expect(all).toHaveLength(5);
  expect(all[1]?.slice(0, 5)).toEqual(ofKey('battery'));
});
