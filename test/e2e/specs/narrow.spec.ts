import { expect, shot, test } from '../app.ts';
import { expectChart, makeDevice, makeProject, openAction, store, visit, visitDevice } from '../steps.ts';

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
    const plot = await page.locator('.u-over').boundingBox();
    expect(plot?.y).toBeLessThan(size.height * 0.75);
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
    await expect(dialog.getByRole('textbox')).toBeFocused();
    await dialog.getByRole('textbox').pressSequentially('PT');
    await expect(dialog.getByRole('textbox')).toBeInViewport(whole);
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
      expect(values?.bottom).toBeLessThanOrEqual(plot?.top ?? 0);
      expect(plot?.bottom).toBeLessThanOrEqual(panel?.bottom ?? 0);
      expect(panel?.bottom).toBeLessThan(size.height + 300);
    }).toPass();
  }
});

test('what was done is said clear of the time axis, and on no other screen', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  const device = await makeDevice(api, project_id, 'PT-107');
  await store(api, device, READINGS);
  await visitDevice(page, device);
  await expectChart(page, 300);
  await openAction(page, 'Purge data…');
  await page.getByRole('textbox', { name: 'Type the name to confirm' }).fill('PT-107');
  await page.getByRole('dialog').getByRole('button', { name: 'Purge data' }).click();
  const notice = page.getByRole('alert').filter({ hasText: '300 records removed.' });
  await expect(notice).toBeVisible();
  await store(api, device, READINGS);
  await expectChart(page, 300);
  const [said, plot, chart] = await Promise.all(
    [notice, page.locator('.u-over'), page.getByTestId('chart')].map((part) => part.boundingBox()),
  );
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual((plot?.y ?? 0) + (plot?.height ?? 0));
  expect(said?.x).toBeGreaterThan((chart?.x ?? 0) + (chart?.width ?? 0) / 2);
  await shot(page, 'notice');
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Plant' }).click();
  await expect(page.getByRole('link', { name: 'PT-107' })).toBeVisible();
  await expect(page.getByText('300 records removed.')).toHaveCount(0);
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
