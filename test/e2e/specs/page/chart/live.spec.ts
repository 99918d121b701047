import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, test } from '../../../app.ts';
import { dropFiles } from '../../../files.ts';
import { pickRange } from '../../../steps/chart-steps.ts';
import {
  expectChart,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
  type MadeDevice,
} from '../../../steps/steps.ts';

/* A chart that follows what comes in. */

const START = Date.UTC(2026, 0, 5, 8);
const reading = (second: number) => ({
  timestamp: new Date(START + second * 1000).toISOString(),
  pressure: 4 + Math.sin(second / 40),
});

async function showPress(page: Page, api: Api): Promise<MadeDevice> {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(
    api,
    device,
    Array.from({ length: 200 }, (_, second) => reading(second)),
  );
  await visitDevice(page, device);
  await expectChart(page, 200);
  return device;
}

/** The end of the window, as the plot says it, in seconds of the recording. */
const endOf = (page: Page) =>
  page
    .getByTestId('chart')
    .locator('[data-view]')
    .first()
    .evaluate((plot, start) => {
      const { x } = JSON.parse(plot.getAttribute('data-view') ?? '{}') as { x: [number, number] };
      return Math.round((x[1] - start) / 1000);
    }, START);

const live = (page: Page) => page.getByRole('button', { name: /^(Live|Paused|\d+ new records?)$/ });

test('a window that reaches up to now moves along; any other one stays and says what has come', async ({
  page,
  api,
}) => {
  const device = await showPress(page, api);
  const chart = page.getByRole('group', { name: /^Chart of/ });
  await chart.focus();
  await expect(live(page)).toHaveText('Live');
  // Closer, then to the right edge.
  await page.keyboard.press('+');
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
  await expect.poll(() => endOf(page)).toBe(199);
  await expect(live(page)).toHaveText('Live');
  await store(api, device, [reading(200), reading(201)]);
  await expect.poll(() => endOf(page)).toBe(201);

  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft');
  await expect(live(page)).toHaveText('Paused');
  const before = await endOf(page);
  await store(api, device, [reading(202), reading(203), reading(204)]);
  await expect(live(page)).toHaveText('3 new records');
  expect(await endOf(page)).toBe(before);
  await live(page).click();
  await expect.poll(() => endOf(page)).toBe(204);
  await expect(live(page)).toHaveText('Live');
});

test('it is paused and goes on by key', async ({ page, api }) => {
  const device = await showPress(page, api);
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('l');
  await expect(live(page)).toHaveText('Paused');
  await store(api, device, [reading(200)]);
  await expect(live(page)).toHaveText('1 new record');
  await expect.poll(() => endOf(page)).toBe(199);
  await page.keyboard.press('l');
  await expect(live(page)).toHaveText('Live');
  await expect.poll(() => endOf(page)).toBe(200);
});

test('the chart fills the screen and comes back', async ({ page, api }) => {
  await showPress(page, api);
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('f');
  const box = () => page.getByTestId('chart').boundingBox();
  await expect.poll(box).toMatchObject({ x: 0, y: 0 });
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await box())?.y ?? 0).toBeGreaterThan(50);
});

test('a device is compared with its neighbour in three clicks', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  for (const name of ['PT-107', 'PT-106', 'Boiler', 'PT-108']) {
    const device = await makeDevice(api, project_id, name);
    await store(
      api,
      device,
      Array.from({ length: 50 }, (_, second) => reading(second)),
    );
    if (name === 'PT-107') await visitDevice(page, device);
  }
  await expectChart(page, 50);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'PT-108' }).click();
  await expect(page.getByRole('group', { name: 'Chart of PT-107, PT-108 over time' })).toBeVisible();
  await page.getByText('Difference', { exact: true }).click();
  await expect(page.getByRole('table', { name: 'Lines of the chart' })).toContainText('PT-107 − PT-108');
});

test('the sign of Live is lit while the device sends, not over a recording', async ({
  page,
  api,
  dataDirectory,
}) => {
  const sign = live(page).locator('[data-lit]');
  await showPress(page, api);
  await expect(live(page)).toHaveText('Live');
  await expect(sign).toHaveAttribute('data-lit', 'true');

  const path = join(dataDirectory, 'press.csv');
  await writeFile(path, 'time,bar\n2026-01-05T08:00:00Z,1\n2026-01-05T08:01:00Z,2\n');
  await visit(page, `#/projects/${await makeProject(api, 'Line 3')}`);
  await expect(page.getByRole('main').getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, [path]);
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await page.getByRole('button', { name: 'Open the device' }).click();
  await expectChart(page, 2);
  await expect(live(page)).toHaveText('Live');
  await expect(sign).toHaveAttribute('data-lit', 'false');
  await expect(live(page)).toHaveAttribute('title', 'Follows what comes; nothing does at present. Pause (L)');
});

test('a range has what a clock that is ahead sends once it is time, and late records at once', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const at = (second: number) => ({
    timestamp: new Date(Date.now() + second * 1000).toISOString(),
    pressure: 4,
  });
  await store(api, device, [at(-60), at(-50), at(3600)]);
  await visitDevice(page, device);
  await pickRange(page, 'Last 5 minutes');
  await expectChart(page, 2);
  await store(api, device, [at(-55)]);
  await expectChart(page, 3);
  await store(api, device, [at(3)]);
  await expectChart(page, 4);
});
