import type { Page } from '@playwright/test';
import { expect, test } from '../../app.ts';
import { openMore } from '../../steps/chart-steps.ts';
import {
  expectChart,
  makeDevice,
  makeProject,
  openAction,
  store,
  visit,
  visitDevice,
} from '../../steps/steps.ts';

/* A report of a device: chosen above the sheet, printed as it is seen. */

const START = Date.UTC(2026, 0, 5, 8);
const HOSTILE = '<b>"Ofen" & \u202eRTL</b>';
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();

/** Five hours, a reading a minute; silent for an hour, too hot for five minutes. */
const READINGS = Array.from({ length: 300 }, (_, minute) => minute)
  .filter((minute) => minute < 100 || minute >= 160)
  .map((minute) => ({
    timestamp: at(minute),
    temperature: minute >= 200 && minute < 205 ? 99 : 20,
    pressure: minute,
    door: minute < 200 ? 'shut' : 'open',
  }));

/** CSS pixels between the margins of a sheet. */
const PAPER = { A4: 688, Letter: 710 };

const sheet = (page: Page) => page.getByRole('article', { name: /^Report of/ });

test('a report has the facts, the chart, the figures, the gaps and the notes of the span', async ({
  page,
  api,
  host,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Hall 2'), HOSTILE, {
    brand: 'Acme',
    model: 'T10',
    tags: ['oven', 'left'],
  });
  await store(api, device, READINGS);
  const local = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}`;
  await api('PATCH', `${local}/key-settings`, {
    body: { key: 'temperature', shown_as: 'Chamber', unit: '°C', decimals: 1, low: 10, high: 60 },
  });
  await api('POST', `${local}/notes`, { body: { start: at(120), text: 'Fuse <blown> & replaced' } });
  await visitDevice(page, device);
  await expectChart(page, 240);
  await openMore(page, 'Report to print');
  await page.getByRole('textbox', { name: 'Made by' }).fill('Ada L.');
  await page.getByRole('button', { name: /^Range:/ }).click();
  await page.getByRole('button', { name: 'Show UTC' }).click();

  // On paper: the sheet alone, dark theme or not.
  const print = page.getByRole('button', { name: 'Print or save as PDF…' });
  await expect(print).toBeEnabled();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const words of [
    HOSTILE,
    'Hall 2',
    'Acme T10',
    'oven, left',
    device.device_id,
    '2026-01-05 08:00:00 – 2026-01-05 12:59:00 UTC',
    '240 of 240',
    'by Ada L.',
  ])
    await expect(sheet(page)).toContainText(words);
  await expect(sheet(page).getByRole('img', { name: /^Chart of .*Chamber.*door/ })).toBeVisible();
  const figures = sheet(page).getByRole('table', { name: 'Keys', exact: true });
  const chamber = figures.getByRole('row', { name: /^Chamber \(°C\)/ });
  await expect(chamber.getByRole('cell')).toHaveText([
    '240',
    '20.0',
    '99.0',
    '21.6',
    '11.3',
    '20.0',
    '20.0',
    '20.0',
  ]);
  const normal = sheet(page).getByRole('table', { name: 'Normal ranges, gaps and rates' });
  await expect(normal.getByRole('row', { name: /^Chamber/ })).toContainText('10 to 60 °C');
  await expect(normal.getByRole('row', { name: /^Chamber/ })).toContainText('5 (2.1 %)');
  await expect(normal.getByRole('row', { name: /^pressure/ })).toContainText('not set');
  const inRange = sheet(page).getByRole('table', { name: 'Time in the normal range' });
  await expect(inRange.getByRole('row', { name: /^Chamber/ })).toContainText('1 h 1 min (20.4 %)');
  await expect(inRange.getByRole('row')).toHaveCount(2);
  const excursions = sheet(page).getByRole('table', { name: 'Excursions' });
  await expect(excursions.getByRole('row', { name: /^Chamber/ }).getByRole('cell')).toHaveText([
    'Chamber',
    '2026-01-05 11:20:00',
    '2026-01-05 11:25:00',
    '5 min',
    '99.0\u00A0°C, above',
    '2026-01-05 11:20:00',
  ]);
  await expect(sheet(page).getByRole('row', { name: /2026-01-05 09:39:00/ })).toContainText('1 h 1 min');
  await expect(sheet(page).getByRole('row', { name: /Fuse <blown> & replaced/ })).toContainText('10:00:00');
  for (const name of ['Print or save as PDF…', 'Go to…', 'Read again'])
    await expect(page.getByRole('button', { name })).toBeHidden();
  await expect(page.getByRole('link', { name: 'API keys' })).toBeHidden();
  const colours = await sheet(page).evaluate((element) => {
    const { backgroundColor, color } = getComputedStyle(element);
    return { backgroundColor, color, page: getComputedStyle(document.body).backgroundColor };
  });
  expect(colours).toEqual({
    backgroundColor: 'rgb(255, 255, 255)',
    color: 'rgb(28, 33, 38)',
    page: 'rgb(255, 255, 255)',
  });
  await page.emulateMedia({ media: null, colorScheme: null });

  // The button prints, and the address brings all of it back.
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await print.click();
  await expect(page.locator('body[data-printed]')).toHaveCount(1);
  if (host !== 'console') return;
  await page.reload();
  await expect(sheet(page)).toContainText('08:00:00 – 2026-01-05 12:59:00 UTC');
  await expect(sheet(page)).toContainText('by Ada L.');
  // What a browser makes of it: one page of each paper.
  for (const [format, box] of [
    ['A4', /59[45]\S* 84[12]\S*/],
    ['Letter', /612 792/],
  ] as const) {
    const pdf = (await page.pdf({ format })).toString('latin1');
    expect(pdf).toMatch(new RegExp(`/MediaBox \\[0 0 ${box.source}\\]`));
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThanOrEqual(1);
  }
});

test('a report of a span and of chosen keys, from the palette; nothing wider than the paper', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Hall'), 'Many');
  const long = (n: number) => `${'unbroken_name_of_a_key_'.repeat(5)}${n}`;
  const keys = Array.from({ length: 24 }, (_, n) => long(n));
  await store(
    api,
    device,
    Array.from({ length: 200 }, (_, minute) => ({
      timestamp: at(minute),
      ...Object.fromEntries(keys.map((key, n) => [key, -1e9 * (n + 1) + minute / 7])),
    })),
  );
  for (let n = 0; n < 60; n++)
    await api('POST', `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/notes`, {
      body: { start: at(n), text: `Note ${n} ${'x'.repeat(200)}` },
    });
  const span = `from=${at(10)}&to=${at(40)}&zone=utc`;
  await visit(page, `#/projects/${device.project_id}/devices/${device.device_id}?keys=${long(3)}&${span}`);
  await expectChart(page, 200);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: 'Go to or do' }).fill('Report to print');
  await expect(page.locator('.mantine-Spotlight-actionLabel').first()).toHaveText('Report to print');
  await page.keyboard.press('Enter');
  await expect(sheet(page)).toContainText('2026-01-05 08:10:00 – 2026-01-05 08:40:00 UTC');
  await expect(sheet(page)).toContainText('31 of 200');
  const figures = sheet(page).getByRole('table', { name: 'Keys', exact: true });
  await expect(figures.getByRole('row')).toHaveCount(2);
  await expect(figures.getByRole('row', { name: long(3) })).toContainText('31');
  await expect(sheet(page).getByRole('row', { name: /Note \d/ })).toHaveCount(31);

  await visit(
    page,
    `#/projects/${device.project_id}/devices/${device.device_id}/report?keys=${keys.join(',')}`,
  );
  await expect(figures.getByRole('row')).toHaveCount(25);
  await page.emulateMedia({ media: 'print' });
  for (const width of Object.values(PAPER)) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const cut = await sheet(page).evaluate(
      (element) =>
        [...element.querySelectorAll('td, th, dd, h2')].filter(
          (cell) => cell.getBoundingClientRect().right > element.getBoundingClientRect().right + 1,
        ).length,
    );
    expect(cut).toBe(0);
  }
});

test('a device without numbers, and one without records, have a report of what there is', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Hall');
  const words = await makeDevice(api, project_id, 'Door');
  await store(api, words, [{ timestamp: at(0), state: 'open' }]);
  await visitDevice(page, words);
  await openAction(page, 'Report to print');
  await expect(sheet(page)).toContainText('This device has no numbers.');
  await expect(sheet(page)).toContainText('1 of 1');
  const empty = await makeDevice(api, project_id, 'New one');
  await visitDevice(page, empty);
  await openAction(page, 'Report to print');
  await expect(sheet(page)).toContainText('This device has no records.');
});
