import type { Locator } from '@playwright/test';
import { expect, shot, test } from '../../../app.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice } from '../../../steps/steps.ts';

test('a chart is drawn light on dark where the system forces that, whichever theme was chosen', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  const records = [1, 2, 3].map((bar) => ({ timestamp: `2026-01-05T08:0${bar}:00Z`, bar }));
  await store(api, device, records);
  await page.getByRole('button', { name: 'Theme: as the system' }).click();
  await expect(page.getByRole('button', { name: 'Theme: light' })).toBeVisible();
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await visitDevice(page, device);
  await expectChart(page, 3);
  // What stands on the canvas, over a background that is the system's black.
  const shares = () =>
    page.evaluate(() => {
      let [light, dark] = [0, 0];
      for (const canvas of document.querySelectorAll('canvas')) {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
          data: [],
        };
        for (let at = 0; at < data.length; at += 4) {
          if ((data[at + 3] ?? 0) < 250) continue;
          if (Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) > 180) light++;
          else dark++;
        }
      }
      return light > dark;
    });
  await expect.poll(shares).toBe(true);
});

test('what is chosen, pressed or shut differs where the system forces its colours', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await store(api, device, { bar: 1 });
  await page.emulateMedia({ forcedColors: 'active' });
  await visitDevice(page, device);
  await expectChart(page, 1);
  const colours = (one: Locator) =>
    one.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return `${color} on ${backgroundColor}`;
    });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const plain = await colours(button('Compare'));
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('+');
  await expect(button('Forward again')).toBeDisabled();
  expect(await colours(button('Forward again'))).not.toBe(plain);
  await button('More of the chart').click();
  await page.getByRole('menuitemcheckbox', { name: 'Stacked' }).click();
  await button('More of the chart').click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Stacked' })).toBeChecked();
  await page.keyboard.press('Escape');
  const tab = (name: string) => colours(page.getByRole('tab', { name }));
  expect(await tab('Chart')).not.toBe(await tab('Table'));
  await expect.poll(() => tab('Keys')).toBe(await tab('Table'));
  const row = (name: RegExp) => colours(page.getByRole('treeitem', { name }));
  expect(await row(/Compressor/)).not.toBe(await row(/Line 2/));
  await shot(page, 'forced-colours');
});
