import { expect, test } from '../../../app.ts';
import { tickFigures, valueOf } from '../../../steps/chart-steps.ts';
import { look } from '../../../look.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice } from '../../../steps/steps.ts';

/* Counters as their difference per time. */

const START = Date.UTC(2026, 10, 17);
const RECORDS = 400;
/** Every 10 s a counter of 16 bits goes on by 600; at record 250 its device begins anew. */
const RESET = 250;
const counted = (n: number) => (n < RESET ? 60_000 + n * 600 : (n - RESET) * 600) % 65_536;
const wraps = Array.from({ length: RECORDS }, (_, n) => n).filter(
  (n) => n !== RESET && counted(n) < counted(n - 1),
).length;

test('a counter of 16 bits is shown per minute, its wraps counted on and its reset left out', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'Flow meter');
  await store(
    api,
    device,
    Array.from({ length: RECORDS }, (_, n) => ({
      timestamp: new Date(START + n * 10_000).toISOString(),
      count: counted(n),
      level: 20 + Math.sin(n / 30),
    })),
  );
  await visitDevice(page, device);
  await expectChart(page, RECORDS);
  await tickFigures(page, 'n');
  const figure = (name: string) => page.locator(`[data-line=count] [data-figure=${name}]`);
  const ofLevel = page.locator('[data-line=level] [data-figure=max]');
  await expect(figure('n')).toHaveText(String(RECORDS));
  const stored = await figure('max').textContent();

  // All by keyboard.
  await page.getByRole('button', { name: 'How count is shown' }).focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'How count is shown' });
  const shown = menu.getByRole('combobox', { name: 'Shown' });
  await expect(shown).toBeFocused();
  await shown.selectOption('Difference per minute');
  await menu.getByRole('combobox', { name: 'Where it falls' }).selectOption('It wrapped, or began anew');
  const wrap = menu.getByRole('textbox', { name: 'Wraps at' });
  await expect(wrap).toHaveValue('65536');
  await look(page, 'chart-rate-menu');
  await wrap.fill('one');
  await wrap.press('Enter');
  await expect(menu).toContainText('Takes a whole number of at least 2');
  await wrap.fill('65536');
  await wrap.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'How count is shown' })).toBeFocused();

  await expect(page.locator('[data-line=count]')).toContainText('count per min');
  // Neither the first nor the one at which it began anew has a difference.
  await expect(figure('n')).toHaveText(String(RECORDS - 2));
  for (const name of ['min', 'max', 'mean']) await expect(figure(name)).toHaveText(/^3,600(\.0+)?$/);
  await expect(valueOf(page, 'count')).toHaveText('3,600');
  await expect(page.getByTestId('rates-note')).toHaveText(`count per min: ${wraps} wraps, 1 reset in sight.`);
  await expect(ofLevel).toHaveText(/^2[01]\./);
  await expect(page).toHaveURL(/per=min(:|%3A)65536(:|%3A)count/);
  await look(page, 'chart-rate');

  await page.reload();
  await expectChart(page, RECORDS);
  await expect(figure('max')).toHaveText(/^3,600/);
  await page.getByRole('button', { name: 'How count is shown' }).click();
  await shown.selectOption('As stored');
  await page.keyboard.press('Escape');
  await expect(figure('max')).toHaveText(stored ?? '');
  await expect(page).not.toHaveURL(/per=/);
});
