import { expect, shot, test } from '../../../app.ts';
import { FIRST_MS, toggleKey } from '../../../steps/chart-steps.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice } from '../../../steps/steps.ts';

/* What is hidden in a chart is no part of what is handed over from it. */

test('an export of a chart leaves hidden lines out, unless all keys are chosen', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'PT-106');
  await store(
    api,
    device,
    Array.from({ length: 20 }, (_, at) => ({
      timestamp: new Date(FIRST_MS + at * 1000).toISOString(),
      battery: 3.5,
      humidity: 50 + at,
      temperature: 20 + at,
    })),
  );
  await visitDevice(page, device);
  await expectChart(page, 20);
  await toggleKey(page, 'battery');
  await toggleKey(page, 'humidity');
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Export/ });
  await expect(dialog.getByRole('radio', { name: 'Shown in the chart (1)' })).toBeChecked();
  await shot(page, 'export-hidden');
  const asked = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const lines = (await (await asked).createReadStream()).setEncoding('utf8');
  let text = '';
  for await (const piece of lines) text += String(piece);
  expect(text.split('\n')[0]?.trim()).toBe('timestamp,"temperature"');
});
