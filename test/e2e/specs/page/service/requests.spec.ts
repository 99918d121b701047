import type { Page } from '@playwright/test';
import { expect, test } from '../../../app.ts';
import { look } from '../../../look.ts';
import { makeDevice, makeProject, visit } from '../../../steps/steps.ts';

/* The last requests of devices and programs, as they come. */

// Each service remembers its own: the address in `own` is that of this window.
test.use({ apart: true });

const table = (page: Page) => page.getByRole('table', { name: 'Requests' });
const rows = (page: Page) => table(page).getByRole('rowgroup').nth(1).getByRole('row');
const detail = (page: Page) => page.getByRole('region', { name: /^(GET|POST) / });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search requests' });

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('requests show as they come, are narrowed by what they are, and the way back leads to the same list', async ({
  page,
  api,
  own,
}) => {
  await visit(page, '#/requests');
  await expect(page.getByText('No requests yet')).toBeVisible();
  const project_id = await makeProject(api, 'Lab');
  const boiler = await makeDevice(api, project_id, 'Boiler 3');
  const oven = await makeDevice(api, project_id, 'Oven');
  const token = 'Zq9k'.padEnd(40, 'x');
  await own('POST', '/integrations/http', { key: boiler.token, body: { temperature: 21.5 } });
  await own('POST', '/integrations/http', { key: oven.token, body: { 'a,b': 1 } });
  await own('POST', '/integrations/http', { key: token, body: { n: 1 } });
  await expect(rows(page).first()).toContainText('unknown token Zq9k…');
  await expect(rows(page).filter({ hasText: 'Boiler 3' })).toContainText('stored temperature 21.5');
  await expect(page.getByText(token)).toHaveCount(0);

  await choose(page, 'Outcome', 'Refused');
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText(/^2 of \d+ requests$/)).toBeVisible();
  await search(page).fill('oven');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('a key must not contain ","');
  await expect(page).toHaveURL(/#\/requests\?find=oven&outcome=refused$/);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole('link').click();
  await expect(detail(page)).toBeVisible();
  await page.goBack();
  await expect(detail(page)).toHaveCount(0);
  await expect(search(page)).toHaveValue('oven');

  await search(page).fill('nothing of the kind');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByRole('combobox', { name: 'Outcome' })).toHaveValue('');
  await choose(page, 'Operation', 'ingest');
  await expect(rows(page)).toHaveCount(3);
  await choose(page, 'Device', 'Boiler 3');
  await expect(rows(page)).toHaveCount(1);
  await choose(page, 'Door', 'MQTT');
  await expect(page.getByText('No request matches the filter.')).toBeVisible();
});

test('one is opened, read and left by keyboard, and leads to its record, its device and a line of curl', async ({
  page,
  api,
  own,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const boiler = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
  const send = (body: unknown) => own('POST', '/integrations/http', { key: boiler.token, body });
  await send(
    Array.from({ length: 150 }, (_, n) => ({ timestamp: new Date(1_767_000_000_000 + n * 60_000), n })),
  );
  await send({ timestamp: '2025-12-29T09:30:00Z', temperature: 21.5 });
  await send({ 'a,b': 1 });
  await visit(page, '#/requests?kind=ingest');
  await expect(rows(page)).toHaveCount(3);
  await rows(page).first().getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const one = detail(page);
  await expect(one.getByRole('heading', { name: 'POST /integrations/http' })).toBeFocused();
  await expect(one.getByRole('note', { name: 'Rule' })).toHaveText(
    /The records are on the disk.*\(docs\/api\.md, How devices store data\)/,
  );
  await expect(one.getByLabel('Body', { exact: true })).toHaveText(/"temperature":21.5/);
  await expect(one.getByLabel('Answer', { exact: true })).toHaveText(/Data stored successfully/);
  await expect(one.getByRole('link', { name: 'Lab' })).toBeVisible();
  await look(page, 'requests-open');
  const copy = one.getByRole('button', { name: 'Copy as curl' });
  await copy.focus();
  await copy.press('Enter');
  await expect(one.getByRole('button', { name: 'Copied' })).toBeVisible();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  expect(line).toMatch(/^curl -X POST 'http.*\/integrations\/http' -H "Authorization: Bearer \$TOKEN"/);
  expect(line).not.toContain(boiler.token);
  await page.keyboard.press('Escape');
  await expect(one).toHaveCount(0);
  await expect(rows(page).nth(1).getByRole('link')).toBeFocused();

  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(one.getByRole('note', { name: 'Rule' })).toContainText('docs/api.md, Fields');
  await expect(one.getByRole('link', { name: 'Show in the table' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(rows(page).first().getByRole('link')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await one.getByRole('link', { name: 'Show in the table' }).press('Enter');
  await expect(page.getByRole('tab', { name: 'Table', selected: true })).toBeVisible();
  // The one of that time, not the newest.
  await expect(page.locator('[role="row"][aria-current="true"]')).toContainText('21.5');
  await page.goBack();
  await one.getByRole('link', { name: 'Boiler 3' }).click();
  await expect(page.getByRole('heading', { name: 'Boiler 3' })).toBeVisible();
});

test('while the list stands still nothing is lost, and what came is counted until it follows again', async ({
  page,
  api,
  own,
}) => {
  const boiler = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
  const send = (n: number) => own('POST', '/integrations/http', { key: boiler.token, body: { n } });
  await send(0);
  await visit(page, '#/requests?kind=ingest');
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('l');
  for (let n = 1; n <= 5; n++) await send(n);
  const follow = page.getByRole('button', { name: 'Follow · 5 new' });
  await expect(follow).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('stored n 0');
  await look(page, 'requests-paused');
  await follow.click();
  await expect(rows(page)).toHaveCount(6);
  await expect(rows(page).first()).toContainText('stored n 5');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await own('POST', '/_local/v1/requests/clear', { body: {} });
  await expect(page.getByText('No requests yet')).toBeVisible();
});

test('of thousands a part is in the document, and what is looked at stays in its place while others come', async ({
  page,
  own,
}) => {
  test.slow();
  const ask = (n: number) => own('GET', `/v2/projects/none-${n}`);
  for (let n = 0; n < 4100; n += 20) await Promise.all(Array.from({ length: 20 }, (_, at) => ask(n + at)));
  await visit(page, '#/requests');
  await expect(page.getByText('4,000 requests', { exact: true })).toBeVisible();
  expect(await rows(page).count()).toBeLessThan(60);
  const frame = table(page).locator('..');
  await frame.evaluate((element) => void (element.scrollTop = 44 * 1000));
  const first = () =>
    frame.evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      const inSight = [...element.querySelectorAll<HTMLElement>('[data-row]')].find(
        (row) => row.getBoundingClientRect().top >= top + 39,
      );
      return /none-\d+/.exec(inSight?.textContent ?? '')?.[0];
    });
  await expect.poll(first).toMatch(/none-3\d{3}/);
  const before = await first();
  for (let n = 0; n < 5; n++) await ask(10_000 + n);
  await expect.poll(() => frame.evaluate((element) => element.scrollTop)).toBeGreaterThanOrEqual(44 * 1005);
  await expect.poll(first).toBe(before);

  await search(page).fill('none-10004');
  await expect(rows(page)).toHaveCount(1);
  await search(page).fill('');
  await frame.evaluate((element) => void (element.scrollTop = 0));
  // The row with the focus stays, and keeps it.
  await rows(page).first().getByRole('link').focus();
  for (let n = 0; n < 40; n++) await ask(20_000 + n);
  await expect.poll(() => frame.evaluate((element) => element.scrollTop)).toBe(44 * 40);
  await expect(page.locator('[data-row="40"] a')).toBeFocused();
});

for (const size of [
  { width: 820, height: 600 },
  { width: 640, height: 400 },
])
  test(`at ${size.width}×${size.height} a request stands in the list’s place`, async ({ page, api, own }) => {
    const boiler = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
    await own('POST', '/integrations/http', { key: boiler.token, body: { temperature: 21.5 } });
    await page.setViewportSize(size);
    await visit(page, '#/requests?kind=ingest');
    await expect(rows(page)).toHaveCount(1);
    await rows(page).getByRole('link').press('Enter');
    await expect(detail(page).getByRole('heading')).toBeInViewport({ ratio: 1 });
    await expect(table(page)).toBeHidden();
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await page.keyboard.press('Escape');
    await expect(rows(page).getByRole('link')).toBeFocused();
  });
