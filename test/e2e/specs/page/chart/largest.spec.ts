import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../../../app.ts';
import { expectDone, makeDevice, makeProject, store, visit, visitDevice } from '../../../steps/steps.ts';

/* What is as large as it may be (docs/running.md, "Limits") stays readable, and is drawn only as far as it is looked at. */

const MOST_KEYS_OF_RECORD = 256;
const MOST_KEYS = 4_096;
const MOST_LETTERS = 65_536;

/** Whether all that is in it is in sight. */
const isWhole = (place: Locator) =>
  place.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const texts = page.locator('main :is(p, h1, h2, header > div)');
  const widest = await texts.evaluateAll((all) =>
    Math.max(...all.map((text) => text.getBoundingClientRect().left + text.scrollWidth)),
  );
  expect(widest).toBeLessThanOrEqual(await page.evaluate(() => window.innerWidth));
}

test('of 4,096 keys a list draws some, and finds each', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Gateway');
  const records = Array.from({ length: MOST_KEYS / MOST_KEYS_OF_RECORD }, (_, part) =>
    Object.fromEntries(
      Array.from({ length: MOST_KEYS_OF_RECORD }, (__, key) => [
        `key-${part * MOST_KEYS_OF_RECORD + key}`,
        key,
      ]),
    ),
  );
  await store(api, device, records);
  await visitDevice(page, device);
  await page.getByRole('button', { name: /^\+ [\d,]+ more…$/ }).click();
  const list = page.getByRole('dialog');
  const keys = list.getByRole('textbox', { name: 'Search keys' });
  await expect(keys).toHaveAttribute('placeholder', 'Search 4,096 keys');
  await expect(list.getByRole('checkbox')).toHaveCount(100);
  await keys.fill('key-4095');
  await expect(list.getByRole('checkbox', { name: 'key-4095' })).toBeVisible();
  await expect(list.getByRole('checkbox')).toHaveCount(1);
  await keys.fill('key-4096');
  await expect(page.getByText('No key matches.')).toBeVisible();
});

test('a cell shows the beginning of a text of 65,536 letters, and numbers and times whole', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Logger');
  const timestamp = '2026-03-02T20:30:21.202946Z';
  await store(api, device, { timestamp, number: -Number.MAX_VALUE, text: 'x'.repeat(MOST_LETTERS) });
  await visitDevice(page, device, 'table');
  const cells = page.getByRole('row').nth(1).getByRole('cell');
  const [time, number, text] = [cells.nth(0), cells.nth(1), cells.nth(2)];
  await expect(number).toHaveText('−179.769×10³⁰⁶');
  await expect(number).toHaveAttribute('title', String(-Number.MAX_VALUE));
  await expect(time).toContainText('21.202946');
  expect(await isWhole(time)).toBe(true);
  expect(await isWhole(number)).toBe(true);
  await expect(text).toHaveText(`${'x'.repeat(200)}…`);
  await expect(text).toHaveAttribute('title', `${'x'.repeat(2_000)}…`);
});

test('texts without a blank break where the window ends', async ({ page, api }) => {
  const project_id = await makeProject(api, 'W'.repeat(100), 'W'.repeat(500));
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByText(/0 devices · W{500}/)).toBeVisible();
  await expectNoSidewaysScroll(page);
  await visit(page, `#/${'W'.repeat(300)}`);
  await expect(page.getByText(/W{300} is not a screen/)).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test('who asks for a device by its whole name gets it, however many names begin alike', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  for (const name of ['PT-7', ...Array.from({ length: 8 }, (_, place) => `PT-7${place}`), 'A PT-7'])
    await makeDevice(api, project_id, name);
  await visit(page, `#/projects/${project_id}`);
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('textbox', { name: 'Go to or do' }).fill('pt-7');
  // The heading of a group is written by its style.
  await expect(page.locator('.mantine-Spotlight-actionsGroup').first()).toHaveAttribute(
    'style',
    /Devices: 6 of 10/,
  );
  await expect(page.locator('.mantine-Spotlight-actionLabel').first()).toHaveText('PT-7');
});

test('a file of more columns than a record has keys needs a choice, and says so in sight', async ({
  page,
  api,
  dataDirectory,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Logger');
  const file = join(dataDirectory, `${'o'.repeat(180)}.csv`);
  const columns = Array.from({ length: 400 }, (_, column) => `column-${column}`);
  const row = ['2026-01-01T00:00:00Z', ...columns.map((_, column) => column)];
  await writeFile(file, [['time', ...columns], ...Array.from({ length: 20 }, () => row)].join('\n'));
  await visitDevice(page, device);
  await page.getByLabel('File to import').setInputFiles(file);
  const screen = page.getByRole('main');
  await expect(screen.getByRole('navigation', { name: 'Files' })).toContainText('Needs a choice');
  await expect(screen.getByRole('button', { name: '361 more…' })).toBeVisible();
  // With the numbers of the lines and the times as they are stored.
  await expect(screen.getByRole('table', { name: 'First rows' }).getByRole('columnheader')).toHaveCount(43);
  expect(await isWhole(screen.getByText('o'.repeat(180)).locator('..'))).toBe(true);
  await expect(screen.getByRole('alert')).toContainText('at most 256 of them: choose the columns to import');
  await expect(screen.getByRole('alert')).toBeInViewport({ ratio: 1 });
  await expect(screen.getByRole('button', { name: 'Import 1 file' })).toHaveCount(0);
  const { data } = await expectDone(
    api('GET', `/v2/projects/${device.project_id}/devices/${device.device_id}/data/keys`),
  );
  expect(data).toEqual([]);
});
