import { expect, test } from '../../../app.ts';
import { dragZoom, expectValue, moveTo, tickFigures } from '../../../steps/chart-steps.ts';
import { look } from '../../../look.ts';
import { makeDevice, makeProject, visitDevice } from '../../../steps/steps.ts';

/* Differences per time of a recording too long to be loaded: the service takes them, of every record in sight. */

const START = Date.UTC(2026, 0, 1);
const RECORDS = 510_000;
/** Every second a counter of 16 bits goes on by 7; in the middle its device begins anew. */
const RESET = 255_000;
const counted = (n: number) => ((n < RESET ? n : n - RESET) * 7) % 65_536;
let wraps = 0;
for (let n = 1; n < RECORDS; n++) if (n !== RESET && counted(n) < counted(n - 1)) wraps++;

test('an overview of differences knows every wrap and reset, follows the window, and has figures of what is selected', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'Flow meter');
  const line = (n: number) =>
    `{"timestamp":"${new Date(START + n * 1000).toISOString()}","count":${counted(n)},"level":${n % 10}}`;
  const path = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/records`;
  const imported = await api('POST', path, {
    body: Array.from({ length: RECORDS }, (_, n) => line(n)).join('\n'),
    type: 'application/x-ndjson',
  });
  expect(imported.data).toMatchObject({ stored: RECORDS });
  await visitDevice(page, device);
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', String(RECORDS));
  await tickFigures(page, 'n');
  const figure = (name: string) => page.locator(`[data-line=count] [data-figure=${name}]`);
  await expect(figure('n')).toHaveText('510,000');

  await page.getByRole('button', { name: 'How count is shown' }).click();
  const menu = page.getByRole('dialog', { name: 'How count is shown' });
  await menu.getByRole('combobox', { name: 'Shown' }).selectOption('Difference per minute');
  await menu.getByRole('combobox', { name: 'Where it falls' }).selectOption('It wrapped, or began anew');
  await expect(menu.getByRole('textbox', { name: 'Wraps at' })).toHaveValue('65536');
  await page.keyboard.press('Escape');
  const note = page.getByTestId('rates-note');
  await expect(note).toHaveText(`count per min: ${wraps} wraps, 1 reset in sight.`);
  await expect(figure('n')).toHaveText('509,998');
  for (const name of ['min', 'max', 'mean']) await expect(figure(name)).toHaveText(/^420(\.0+)?$/);
  await expectValue(page, 'count', '420');
  await expect(page.locator('[data-line=level] [data-figure=max]')).toHaveText('9');
  await look(page, 'large-rates');
  // Another theme has plots of its own.
  await expect(page.locator('.u-over').first()).toBeVisible();

  // Still summarised: a sixth of all. Its figures are of what is seen, and the reset is elsewhere.
  await dragZoom(page, 0.1, 0.26);
  await expect(note).toHaveText(/^count per min: \d+ wraps in sight\.$/);
  const inSight = Number(await page.getByTestId('chart').getAttribute('data-points'));
  expect(inSight).toBeGreaterThan(60_000);
  await expect(figure('n')).toHaveText(inSight.toLocaleString('en'));
  await expect(figure('max')).toHaveText(/^420(\.0+)?$/);

  // Of a few records the page takes them itself, and says the same.
  await dragZoom(page, 0.4, 0.45);
  await expect
    .poll(async () => Number(await page.getByTestId('chart').getAttribute('data-points')))
    .toBeLessThan(6000);
  await expect(figure('max')).toHaveText(/^420(\.0+)?$/);
  await moveTo(page, 0.5);
  await expectValue(page, 'count', '420');
});
