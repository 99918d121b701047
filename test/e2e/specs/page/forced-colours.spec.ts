import { expect, test } from '../../app.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice } from '../../steps.ts';

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
