import type { Locator } from '@playwright/test';
import { expect, shot, test } from '../../../app.ts';
import { dragZoom, expectValue, valueOf } from '../../../steps/chart-steps.ts';

/* A recording too long to be loaded record by record: a reading a second for a week. */

const RECORDS = 600_000;
const FIRST_MS = Date.UTC(2026, 0, 1);
/** From 15 to 25 and back within a minute, so that each pixel of a week holds all of it. */
const temperatureAt = (second: number) => Math.round(2000 + 500 * Math.sin(second / 9.5)) / 100;
const reading = (second: number) => ({
  timestamp: new Date(FIRST_MS + second * 1000).toISOString(),
  temperature: temperatureAt(second),
});

const pointsOf = async (chart: Locator) => Number(await chart.getAttribute('data-points'));

test('a chart of very many records shows all of them at once, each one when looked at closely, and follows', async ({
  page,
  api,
}) => {
  const { data: project } = await api('POST', '/_local/v1/projects', {
    body: { name: 'Long recordings', description: '' },
  });
  const { id: project_id } = project as { id: string };
  const { data: created } = await api('POST', `/v2/projects/${project_id}/devices`, {
    body: { name: 'Boiler 3', source: 'http' },
  });
  const { id: device_id, metadata } = created as { id: string; metadata: { device_token: string } };
  const lines = Array.from({ length: RECORDS }, (_, second) => JSON.stringify(reading(second)));
  const imported = await api('POST', `/_local/v1/projects/${project_id}/devices/${device_id}/records`, {
    body: lines.join('\n'),
    type: 'application/x-ndjson',
  });
  expect(imported.data).toMatchObject({ stored: RECORDS });

  await page.getByRole('link', { name: 'Long recordings' }).click();
  await page.getByRole('link', { name: 'Boiler 3' }).click();
  const chart = page.getByTestId('chart');
  const readout = page.getByTestId('chart-readout');
  const reset = page.getByRole('button', { name: 'Reset' });
  await expect(chart).toHaveAttribute('data-state', 'ready');
  await expect(chart).toHaveAttribute('data-points', String(RECORDS));
  await expectValue(page, 'temperature', String(temperatureAt(RECORDS - 1)));
  await expect(reset).toHaveCount(0);
  await shot(page, 'large-chart-1-overview');

  const group = page.getByRole('group', { name: /^Chart of/ });
  await group.hover();
  await expectValue(page, 'temperature', /^15(\.0\d)? … (25|24\.9\d)$/);

  // 60,000 records are still summarised; 3,000 of them are not.
  await dragZoom(page, 0.4, 0.5);
  await expect(reset).toBeEnabled();
  await expect(chart).toHaveAttribute('data-state', 'ready');
  await expect.poll(() => pointsOf(chart)).toBeLessThan(61_000);
  expect(await pointsOf(chart)).toBeGreaterThan(59_000);
  await dragZoom(page, 0.5, 0.55);
  await expect.poll(() => pointsOf(chart)).toBeLessThan(3_100);
  await expect(chart).toHaveAttribute('data-state', 'ready');
  await expectValue(page, 'temperature', /^[\d.]+$/);
  const words = (await readout.innerText()).replaceAll(/\s+/g, ' ');
  const shown = await valueOf(page, 'temperature').getAttribute('data-exact');
  const [time = ''] = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(words) ?? [];
  const second = (await page.evaluate((text) => new Date(text).getTime(), time.replace(' ', 'T'))) - FIRST_MS;
  expect(Number(shown)).toBe(temperatureAt(second / 1000));
  await shot(page, 'large-chart-2-close');

  await reset.click();
  await expect(chart).toHaveAttribute('data-points', String(RECORDS));
  await expect(reset).toBeDisabled();

  await page.mouse.move(0, 0);
  await api('POST', '/integrations/http', {
    key: metadata.device_token,
    body: { timestamp: reading(RECORDS).timestamp, temperature: 31.25 },
  });
  await expectValue(page, 'temperature', '31.25');
  await expect(chart).toHaveAttribute('data-points', String(RECORDS + 1));
});
