import type { Locator } from '@playwright/test';
import { expect, shot, test } from '../../../app.ts';
import {
  expectChart,
  makeDevice,
  makeProject,
  openAction,
  store,
  visit,
  visitDevice,
} from '../../../steps/steps.ts';

/* Small windows, among them one at 200 % zoom (1280×800 then has 640×400), and what lies over a chart. */

const SMALL = [
  { width: 820, height: 600 },
  { width: 640, height: 400 },
];

const READINGS = Array.from({ length: 300 }, (_, minute) => ({
  timestamp: new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString(),
  bar: Math.sin(minute / 20),
}));

for (const size of SMALL)
  test(`at ${size.width}×${size.height} the plot and each dialog’s button are in view`, async ({
    page,
    api,
  }) => {
    const project_id = await makeProject(api, 'Plant');
    const device = await makeDevice(api, project_id, 'PT-107', {
      tags: ['line-3', 'oil', 'hall 2'],
      description: 'Oil pump behind the east wall, under the second crane',
    });
    await store(api, device, READINGS);
    await page.setViewportSize(size);
    await visitDevice(page, device);
    await expectChart(page, 300);
    // Without scrolling, at least half of it.
    await expect(page.locator('.u-over')).toBeInViewport({ ratio: 0.5 });
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWide).toBe(false);

    const dialog = page.getByRole('dialog');
    const whole = { ratio: 1 };
    const sees = async (button: string) => {
      await expect(dialog.getByRole('button', { name: button })).toBeInViewport(whole);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    };
    await openAction(page, 'Purge data…');
    await expect(dialog.getByRole('table')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Purge data' })).toBeFocused();
    await sees('Purge data');
    await openAction(page, 'Edit device…');
    await sees('Save');
    await visit(page, `#/projects/${project_id}`);
    await page.getByRole('button', { name: 'New device' }).click();
    await sees('Create device');
    await visit(page, '#/api-keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    await sees('Create API key');
  });

test('values that take several lines lie over no plot, and its panel grows and shrinks with the window', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'PT-107');
  const keys = Array.from({ length: 12 }, (_, index) => `sensor_${index}`);
  const records = READINGS.map(({ timestamp, bar }) => ({
    timestamp,
    ...Object.fromEntries(keys.map((key, index) => [key, bar + index / 7])),
  }));
  await store(api, device, records);
  await visitDevice(page, device);
  await expectChart(page, 300);
  for (const size of [{ width: 1920, height: 1080 }, ...SMALL]) {
    await page.setViewportSize(size);
    await expect(async () => {
      const [values, plot, panel] = await Promise.all(
        [page.getByTestId('chart-readout'), page.locator('.uplot'), page.getByTestId('chart')].map((part) =>
          part.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect),
        ),
      );
      expect(plot?.bottom).toBeLessThanOrEqual(values?.top ?? 0);
      expect(values?.bottom).toBeLessThanOrEqual(panel?.bottom ?? 0);
      expect(panel?.bottom).toBeLessThan(size.height + 400);
    }).toPass();
  }
});

test('what was done is said clear of the time axis, and can be undone on the next screen', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  const device = await makeDevice(api, project_id, 'PT-107');
  await store(api, device, READINGS);
  await visitDevice(page, device);
  await expectChart(page, 300);
  await openAction(page, 'Purge data…');
  await page.getByRole('dialog').getByRole('button', { name: 'Purge data' }).click();
  const notice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: /^Undo/ }) });
  await expect(notice).toContainText('300 records of “PT-107” deleted');
  // It stays while the pointer is on it, however long a busy page takes for the chart.
  await notice.hover();
  await store(api, device, READINGS);
  await expectChart(page, 300);
  const [said, plot, chart] = await Promise.all(
    [notice, page.locator('.u-over'), page.getByTestId('chart')].map((part) => part.boundingBox()),
  );
  const TIME_AXIS = 46;
  expect(said?.y).toBeGreaterThan((plot?.y ?? 0) + (plot?.height ?? 0) + TIME_AXIS);
  expect(said?.x).toBeGreaterThan((chart?.x ?? 0) + (chart?.width ?? 0) / 2);
  await shot(page, 'notice');
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Plant' }).click();
  await expect(page.getByRole('link', { name: 'PT-107' })).toBeVisible();
  await notice.getByRole('button', { name: /Undo/ }).click();
  await expect(notice).toHaveCount(0);
  const summary = `/_local/v1/projects/${project_id}/devices/${device.device_id}/summary`;
  await expect.poll(async () => (await api('GET', summary)).data).toMatchObject({ records: 600 });
});

test('headers of long keys differ to the eye', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'PT-107');
  const keys = ['temperature', 'pressure', 'vibration'].map((what) => `plant.north.line3.press.pump.${what}`);
  await store(api, device, Object.fromEntries(keys.map((key, index) => [key, index])));
  await visitDevice(page, device, 'table');
  for (const key of keys) {
    const header = page.getByRole('columnheader', { name: key, exact: true });
    await expect(header.getByTitle(key)).toBeVisible();
    // Its end is what tells it from the others.
    await expect(header.getByText(key.slice(-10), { exact: true })).toBeInViewport({ ratio: 0.99 });
    const fits = await header.evaluate((cell) => cell.scrollWidth <= cell.clientWidth);
    expect(fits).toBe(true);
  }
});

test('a device with the longest name says how it is', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'W'.repeat(100));
  await store(api, device, [{ t: 1 }]);
  await visitDevice(page, device);
  const main = page.getByRole('main');
  await expect(main.locator('[data-look="online"]').first()).toBeInViewport({ ratio: 0.99 });
  await expect(main.getByText(/Last seen/)).toBeInViewport({ ratio: 0.99 });
});

test('the name of a device of usual length is whole in the way to it, and names that are cut are told by their titles', async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 820, height: 600 });
  const project_id = await makeProject(api, 'ambient-temperature of the whole plant');
  await visitDevice(page, await makeDevice(api, project_id, 'ambient-temperature'));
  const links = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link');
  const name = links.filter({ hasText: /^ambient-temperature$/ });
  await expect(name).toBeInViewport({ ratio: 1 });
  expect(await name.evaluate((link) => link.scrollWidth - link.clientWidth)).toBe(0);
  const project = links.filter({ hasText: 'whole plant' });
  await project.hover();
  await expect(project).toHaveAttribute('title', 'ambient-temperature of the whole plant');
});

test('names of keys beside the legend lie over nothing', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'PT-107');
  const shown = (value: number) => Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, value]));
  const long = 'Vorlauftemperatur Kessel 2 Strang Nord hinter dem Plattenwärmetauscher';
  await store(
    api,
    device,
    [1, 2, 3].map((value) => ({ ...shown(value), [long]: 2, z: 3 })),
  );
  await visitDevice(page, device);
  const others = page.getByRole('group', { name: 'More keys' }).getByRole('checkbox');
  await expect(others).toHaveCount(2);
  for (const other of await others.all()) {
    const over = await other.evaluate((button) => {
      const { right } = button.getBoundingClientRect();
      const ends = [...button.querySelectorAll('[aria-hidden] span')];
      return Math.max(0, ...ends.map((end) => end.getBoundingClientRect().right - right));
    });
    expect(over).toBeLessThanOrEqual(1);
  }
});

test('the ends of a range and the time a key expires are not cut', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'Meter');
  await store(api, device, [{ count: 12_345_679_300 }, { count: 12_345_682_299 }]);
  const { status } = await api('POST', '/_local/v1/keys', {
    body: { name: 'Rig', permissions: ['read'], expires_at: '2099-12-25T18:00:00Z' },
  });
  expect([200, 201]).toContain(status);
  const fits = (text: RegExp) =>
    page
      .getByRole('cell', { name: text })
      .first()
      .evaluate((cell) =>
        [cell, ...cell.querySelectorAll('*')].every(
          (part) => part.scrollWidth <= part.clientWidth + 1 || part.clientWidth === 0,
        ),
      );
  await visitDevice(page, device, 'keys');
  expect(await fits(/12,345,679,300/)).toBe(true);
  await page.getByRole('table', { name: 'Keys' }).getByRole('row', { name: /count/ }).click();
  await expect(page.getByRole('region', { name: 'count' })).toBeVisible();
  expect(await fits(/12,345,679,300/)).toBe(true);
  await visit(page, '#/api-keys');
  await expect(page.getByRole('cell', { name: /2099-12-25/ })).toBeVisible();
  expect(await fits(/2099-12-25/)).toBe(true);
});

test('names of any script are cut at their end, and one without letters can be pressed', async ({
  page,
  api,
}) => {
  const arabic = 'غرفة الغلايات في الطابق السفلي من المبنى الشمالي الجديد';
  const project_id = await makeProject(api, arabic);
  await makeDevice(api, project_id, arabic);
  await makeProject(api, '\u200b');
  await page.setViewportSize({ width: 1000, height: 700 });
  await visit(page, '#/');
  const beginsInView = (where: Locator) =>
    where.getByTitle(arabic).evaluate((cut) => {
      const range = document.createRange();
      const text = document.createTreeWalker(cut, NodeFilter.SHOW_TEXT).nextNode()!;
      range.setStart(text, 0);
      range.setEnd(text, 4);
      const [word, box] = [range.getBoundingClientRect(), cut.getBoundingClientRect()];
      return word.left >= box.left - 1 && word.right <= box.right + 1;
    });
  expect(await beginsInView(page.getByRole('tree').first())).toBe(true);
  expect(await beginsInView(page.getByRole('table', { name: 'Projects' }))).toBe(true);
  await page
    .getByRole('table', { name: 'Projects' })
    .getByRole('link', { name: '(no visible name)' })
    .click();
  await expect(page.getByRole('heading', { name: '(no visible name)' })).toBeVisible();
});

test('no list is scrolled sideways: the columns that matter least are left out', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Machine hall '.repeat(7).trim()), 'K');
  await store(api, device, [{ temperature: 1 }]);
  const gone = await makeDevice(api, device.project_id, 'Press 5');
  await api('DELETE', `/_local/v1/projects/${gone.project_id}/devices/${gone.device_id}`);
  await page.setViewportSize({ width: 820, height: 600 });
  for (const [address, name] of [
    ['#/', 'Projects'],
    ['#/api-keys', 'API keys'],
    ['#/deleted', 'Deletes'],
    [`#/projects/${device.project_id}/devices/${device.device_id}/keys`, 'Keys'],
  ] as const) {
    await visit(page, address);
    const table = page.getByRole('table', { name, exact: true });
    await expect(table).toBeVisible();
    await expect
      .poll(() => table.evaluate(({ parentElement: frame }) => frame!.scrollWidth - frame!.clientWidth), {
        message: `${name} at 820 px`,
      })
      .toBe(0);
  }
  // The way to a screen ends with its name, however long what stands before it is.
  const last = page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: 'K', exact: true });
  expect(await last.evaluate((link) => link.scrollWidth - link.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await visit(page, '#/api-keys');
  await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible();
});
