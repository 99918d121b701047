import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { handoverPage } from '#core/handover/page/handover-page.ts';
import { contentOf, type DeviceDraft, type Row } from '../../../helpers/handed-content.ts';
import { violationsIn } from '../../axe.ts';
import { chromiumPath, sandboxFlags } from '../../chromium.ts';
import { chartOf, corrected, noise, numberOf, readOut, START } from '../../steps/handed-page-steps.ts';

/*
 * The page that a customer opens: from a disk, without Fieldbench, in a browser of their own. It asks nobody for anything, which each
 * test here watches, and reads out what was stored to the last digit.
 */

let browser: Browser;
let folder: string;
test.beforeAll(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath(), args: [...sandboxFlags] });
  folder = await mkdtemp(join(tmpdir(), 'handed-page-'));
});
test.afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

interface Opened {
  readonly page: Page;
  readonly bytes: number;
  /** Errors, and requests for anything but the file itself. */
  readonly odd: readonly string[];
}

async function opened(
  drafts: readonly DeviceDraft[],
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<Opened> {
  const pieces: Uint8Array[] = [];
  for await (const piece of handoverPage(contentOf(drafts))) pieces.push(piece);
  const file = join(folder, 'page.html');
  await writeFile(file, Buffer.concat(pieces));
  const page = await browser.newPage({
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  const odd: string[] = [];
  const address = pathToFileURL(file).href;
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith('data:image/svg+xml')) odd.push(`asked for ${url}`);
  });
  page.on('console', (message) => message.type() === 'error' && odd.push(message.text()));
  page.on('pageerror', ({ message }) => odd.push(message));
  page.on('dialog', (dialog) => (odd.push(`dialog ${dialog.message()}`), void dialog.dismiss()));
  await page.goto(address);
  return { page, bytes: Buffer.concat(pieces).length, odd };
}

test('a million points are there exactly, in ten megabytes, under zoom by wheel, drag and keys', async () => {
  const rows = Array.from({ length: 250_000 }, (_, at): Row => [
    START + at * 1_000_000 + Math.floor(noise(at) * 5_000),
    {
      counter: 12_345_678_900 + at,
      level: Math.round((20 + 4 * Math.sin(at / 9_000) + noise(at)) * 100) / 100,
      plain: Math.sin(at / 31) * noise(at),
      pressure: Math.round(noise(at + 1) * 2_000) * 1.0137,
    },
  ]);
  const { page, bytes, odd } = await opened([{ rows }]);
  expect(bytes).toBeLessThan(10_000_000);
  await page.getByRole('radio', { name: 'UTC', exact: true }).check();
  const byTime = new Map(rows);
  const isExact = async () => {
    const { time, values } = await readOut(page);
    expect(values).toEqual(byTime.get(time));
  };
  await expect(page.locator('.span')).not.toContainText('Berlin');
  await isExact();

  // Keys: into a place, and value by value.
  const chart = chartOf(page);
  await chart.focus();
  for (let at = 0; at < 12; at++) await page.keyboard.press('+');
  for (const [key, times] of [
    ['Home', 1],
    ['ArrowRight', 7],
    ['ArrowLeft', 3],
    ['End', 1],
  ] as const) {
    for (let at = 0; at < times; at++) await page.keyboard.press(key);
    await isExact();
  }
  await page.keyboard.press('0');

  // The pointer, at some places of some windows.
  const over = async (share: number) => {
    const { x, y, width } = (await chart.locator('.u-over').first().boundingBox())!;
    return [x + width * share, y + 20] as const;
  };
  for (let at = 1; at <= 8; at++) {
    await page.mouse.move(...(await over(noise(at))));
    await isExact();
    await chart.focus();
    await page.mouse.wheel(0, at % 4 === 0 ? 900 : -300);
  }
  await page.keyboard.press('0');
  await page.mouse.move(...(await over(0.3)));
  await page.mouse.down();
  await page.mouse.move(...(await over(0.4)), { steps: 4 });
  await page.mouse.up();
  const inWindow = page.getByRole('status').filter({ hasText: 'in what the chart shows' });
  await expect(inWindow).toContainText(/of (2[4-6]),\d{3} in/);
  await isExact();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(inWindow).toContainText('of 250,000 in');

  expect(odd).toEqual([]);
  await page.close();
});

const HOSTILE =
  '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202Ereversed\u0000\u0007\uD800';

test('whatever devices and people wrote is text: it runs nothing and breaks nothing', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const keys = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`key ${String(at).padStart(3, '0')}`, at]),
  );
  const rows: Row[] = [
    [-86_400_000_000, { [HOSTILE]: HOSTILE, __proto__key: 1, ...keys }],
    [-1, { [HOSTILE]: '', constructor: 5, flag: true }],
    [60_000_000, { flag: false, ...keys }],
  ];
  const note = {
    id,
    device_id: id,
    start: '1970-01-01T00:00:00.000000Z',
    end: null,
    created_at: '2026-01-01T00:00:00.000000Z',
  };
  const drafts: DeviceDraft[] = [
    {
      rows,
      facts: { name: HOSTILE, description: HOSTILE, tags: [HOSTILE], metadata: { [HOSTILE]: HOSTILE } },
      notes: [{ ...note, text: HOSTILE, author: HOSTILE }],
    },
    ...Array.from({ length: 58 }, (_, at): DeviceDraft => ({
      rows: [[at * 1e9, { a: at }]],
      facts: { name: `Device ${at}` },
    })),
    { rows: [], facts: { name: 'Nothing stored' } },
  ];
  const { page, odd } = await opened(drafts);
  await expect(page.getByRole('heading', { level: 2 })).toContainText('<script>alert(1)</script>');
  await expect(page.getByText('Keys: 6 of 304')).toBeVisible();
  await page.getByText('Keys: 6 of 304').click();
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('key 299');
  await page.getByRole('checkbox', { name: 'key 299' }).check();
  await expect(page.locator('[data-key="key 299"] .value')).toHaveText('299');
  await page.getByRole('combobox', { name: 'Device' }).selectOption('Nothing stored');
  await expect(page.getByText('This device has no records.')).toBeVisible();
  await page.getByText('60 devices', { exact: true }).click();
  await page.getByRole('link', { name: 'Device 57' }).click();
  await expect(page.locator('[data-key="a"] .value')).toHaveText('57');
  expect(odd).toEqual([]);
  await page.close();
});

test('corrected values come first, and a switch shows them as they were stored', async () => {
  const { page, odd } = await opened([corrected]);
  await expect(page.getByRole('radio', { name: 'Corrected' })).toBeChecked();
  const last = Number(corrected.rows.at(-1)?.[1]['temperature']);
  await expect.poll(() => numberOf(page, 'temperature')).toBe(last + 100);
  await expect(page.getByRole('region', { name: 'Corrections', exact: true })).toContainText('yearly');
  const history = page.getByRole('region', { name: 'History of corrections' });
  await expect(history.getByRole('row')).toHaveCount(3);
  const [, changed, removed] = await history.getByRole('row').allInnerTexts();
  expect(changed?.split('\t')).toEqual([
    expect.stringMatching(/^2026-11-18 01:00:01/),
    'Jane',
    'Changed: Calibration: temperature',
    '+90, all time',
    '+100, all time',
    'yearly',
  ]);
  expect(removed).toContain('<b>Joe</b>\tRemoved: Quality: all keys\tbad: door open, ');
  expect(removed).toMatch(/\t–\t–$/);
  const note = page.getByRole('region', { name: 'Notes', exact: true }).getByRole('row').nth(1);
  await expect(note).toContainText('01:05');
  await page.getByRole('radio', { name: 'Raw, as stored' }).check();
  await expect.poll(() => numberOf(page, 'temperature')).toBe(last);
  await expect(note).toContainText('01:10');
  await expect(page.locator('[data-key="door"] .value')).toHaveText(
    String(corrected.rows.at(-1)?.[1]['door']),
  );
  await expect(page.getByRole('img', { name: 'Strips of door' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all 300' }).click();
  await expect(page.getByRole('region', { name: 'Excursions of each key' }).getByRole('row')).toHaveCount(
    301,
  );
  expect(odd).toEqual([]);
  await page.close();
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [820, 1920])
    test(`the page breaks no rule of accessibility: ${colorScheme}, ${width} pixels wide`, async () => {
      const { page, odd } = await opened([corrected, { rows: [] }], {
        colorScheme,
        viewport: { width, height: 700 },
      });
      await chartOf(page).focus();
      await page.keyboard.press('End');
      await expect(page.getByRole('status').filter({ hasText: 'temperature' })).toContainText(
        '2026-11-18 09:19:50',
      );
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(await violationsIn(page)).toEqual([]);
      expect(odd).toEqual([]);
      await page.close();
    });

test('it prints: the chart with lines, all tables, none wider than the paper', async () => {
  const { page, odd } = await opened([corrected], { colorScheme: 'dark' });
  await expect(page.locator('[data-key="temperature"]')).toBeVisible();
  const file = join(folder, 'page.pdf');
  await page.pdf({ path: file, format: 'A4', margin: { left: '15mm', right: '15mm' } });
  expect((await readFile(file)).length).toBeGreaterThan(10_000);
  // As wide as such paper without its margins.
  await page.setViewportSize({ width: 680, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.printed svg')).toBeVisible();
  await expect(page.locator('.plots')).toBeHidden();
  await expect(page.getByRole('region', { name: 'Corrections', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'History of corrections' })).toBeVisible();
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('table, svg, p, dl')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => one.textContent.slice(0, 60)),
  );
  expect(wide).toEqual([]);
  expect(odd).toEqual([]);
  await page.close();
});

test('a file that came damaged says so', async () => {
  const { page } = await opened([corrected]);
  const file = join(folder, 'damaged.html');
  const whole = await readFile(join(folder, 'page.html'), 'utf8');
  await writeFile(file, whole.replace(/(id="records-0">.{40})...../, '$1AAAAA'));
  await page.goto(pathToFileURL(file).href);
  await expect(page.getByRole('alert')).toHaveText(/The records in this file are damaged/);
  await page.close();
});
