import { expect, test } from '../../app.ts';
import { openMore } from '../../steps/chart-steps.ts';
import { makeDevice, makeProject, store, visitDevice } from '../../steps/steps.ts';

test('a chart gets all of the screen, and gives it back', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await store(api, device, [{ timestamp: '2026-01-05T08:00:00Z', bar: 1.5 }]);
  await visitDevice(page, device);
  const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
  await openMore(page, 'Full screen (F)');
  await expect.poll(isFull).toBe(true);
  await page.getByRole('button', { name: 'Leave full screen (Esc)' }).click();
  await expect.poll(isFull).toBe(false);
});
