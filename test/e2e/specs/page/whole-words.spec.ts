import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test } from '../../app.ts';
import { dropFiles } from '../../files.ts';
import {
  expectChart,
  expectDone,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
} from '../../steps/steps.ts';

/* Words that are to be read whole, in the windows that people have. */

const LONG = 'Messstelle Vorlauf Kesselhaus Nord, Wärmemengenzähler hinter dem dritten Verteiler links';

/** How many pixels of a text are cut. */
const cutOf = (text: Locator) =>
  text.evaluate((element) =>
    Math.max(element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight),
  );

test('of a change of clocks whose answers make the same that is said once, and rows of the file are in sight', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const path = join(dataDirectory, `${LONG}.csv`);
  const rows = Array.from({ length: 900 }, (_, n) => {
    const time = new Date(Date.UTC(2026, 9, 24) + n * 900_000).toISOString();
    return `${time.slice(0, 10)} ${time.slice(11, 19)},${20 + (n % 7)}`;
  });
  await writeFile(path, ['time,temperature', ...rows, ''].join('\n'));
  await page.setViewportSize({ width: 1280, height: 800 });
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, [path]);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  const doubt = page.getByTestId('doubt');
  await expect(doubt.getByTestId('alike')).toHaveText('With each of them: no gaps');
  await expect(doubt.getByRole('listitem')).toHaveCount(0);
  const row = page.getByRole('table', { name: 'First rows' }).getByRole('row').nth(1);
  await expect(row).toBeInViewport({ ratio: 1 });
  // The name of the new device has the room beside it.
  expect(await cutOf(page.getByRole('textbox', { name: 'Its name' }))).toBeLessThanOrEqual(80);
  // No line of the state has a single short word.
  const words = page.getByText('Ready, 1 guess to look at');
  const lines = await words.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].map(({ width }) => width);
  });
  expect(Math.min(...lines)).toBeGreaterThan(0.4 * Math.max(...lines));
});

test('the header over the curves of a list is whole, and so is their range where it is said', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  const now = Date.now();
  const devices = await Promise.all(
    [LONG, 'PT-101', 'PT-102', 'PT-103'].map((name) => makeDevice(api, project_id, name)),
  );
  for (const [n, device] of devices.entries())
    await store(
      api,
      device,
      Array.from({ length: 90 }, (_, at) => ({
        timestamp: new Date(now - at * 900_000).toISOString(),
        temperature: 17 + (at % 50) / 10 + n / 1000,
        kwh: 12_345_679_300 - at,
      })),
    );
  await expectDone(
    api('PATCH', `/_local/v1/projects/${project_id}/devices/${devices[0]?.device_id}/key-settings`, {
      body: { key: 'temperature', unit: '°C', decimals: 2, apply_to: 'project' },
    }),
  );
  await visit(page, `#/projects/${project_id}`);
  const list = page.getByRole('table', { name: 'Devices' });
  await list
    .getByRole('columnheader', { name: /last day/ })
    .getByRole('button')
    .press('Enter');
  await page.getByRole('menuitemradio', { name: 'temperature' }).click();
  const header = list.getByRole('columnheader', { name: /^temperature, last day/ });
  const range = header.getByText(/^1\d\.\d+ to 2\d/);
  const isSeen = async () => {
    const [cell, note] = await Promise.all([header.boundingBox(), range.boundingBox()]);
    return (note?.y ?? 0) < (cell?.y ?? 0) + (cell?.height ?? 0) - 4;
  };
  for (const [width, hasRange] of [
    [820, false],
    [1280, false],
    [1920, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => cutOf(header.getByText('temperature, last day'))).toBe(0);
    await expect.poll(isSeen).toBe(hasRange);
    const [cell, note] = await Promise.all([header.boundingBox(), range.boundingBox()]);
    const right = (cell?.x ?? 0) + (cell?.width ?? 0);
    if (hasRange) expect((note?.x ?? 0) + (note?.width ?? 0)).toBeLessThanOrEqual(right);
  }
});

test('what was taken back is said whole', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  await makeDevice(api, project_id, LONG);
  await page.setViewportSize({ width: 1280, height: 800 });
  await visit(page, `#/projects/${project_id}`);
  const list = page.getByRole('table', { name: 'Devices' });
  await list.getByRole('row').filter({ hasText: 'Messstelle' }).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(page.getByRole('heading', { name: 'No devices yet' })).toBeVisible();
  await page.keyboard.press('Control+z');
  const said = page.getByText(/^Taken back: /);
  await expect(said).toContainText('deleted.');
  expect(await cutOf(said)).toBe(0);
  const box = await said.boundingBox();
  expect(box?.width).toBeGreaterThan(180);
});

test('all usual figures of numbers of eleven digits are within the legend of a small window', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'PT-101');
  const start = Date.UTC(2026, 10, 19, 18);
  await store(
    api,
    device,
    Array.from({ length: 60 }, (_, n) => ({
      timestamp: start + n * 60_000,
      temperature: 20 + (n % 9) / 10,
      kwh: 12_345_679_300 + n * 13,
    })),
  );
  await page.setViewportSize({ width: 820, height: 600 });
  await visitDevice(page, device);
  await expectChart(page, 60);
  const frame = page.getByRole('group', { name: 'Keys', exact: true });
  await expect(frame.getByRole('columnheader', { name: 'gaps' })).toBeVisible();
  await expect(frame.getByRole('row', { name: /kwh/ })).toContainText('12,345,680,067');
  expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
