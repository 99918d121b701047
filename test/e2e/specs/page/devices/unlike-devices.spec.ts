import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, test } from '../../../app.ts';
import { look } from '../../../look.ts';
import { expectDone, makeProject, store, visit, type MadeDevice } from '../../../steps/steps.ts';

/* Which device of many is not like the others: seen in the list of a project, and on the wall of all curves. */

const QUARTER_MS = 900_000;
const LONG = 'Messstelle Vorlauf Kesselhaus Nord, Wärmemengenzähler hinter dem dritten Verteiler links';
const HEBREW = 'חיישן טמפרטורה באולם הצפוני';

async function makeDevices(api: Api, project_id: string, devices: readonly object[]): Promise<MadeDevice[]> {
  const made = await expectDone(
    api('POST', `/_local/v1/projects/${project_id}/devices`, { body: { devices } }),
  );
  return (made.data as { id: string; metadata: { device_token: string } }[]).map(({ id, metadata }) => ({
    project_id,
    device_id: id,
    token: metadata.device_token,
  }));
}

/** A week of a sensor in a file, in steps of half an hour, that drifts by so much in its last day. */
function recording(n: number, drift: number): string {
  const end = Date.UTC(2026, 9, 23, 22, 15);
  const lines = Array.from({ length: 192 }, (_, i) => {
    const part = Math.max(0, (i - 96) / 95);
    const noise = ((i * 7919 + n * 104_729) % 21) / 100;
    const values = [
      (18 + Math.sin(i / 15) + noise + drift * part).toFixed(2),
      (48 + ((n * 37 + i) % 9) / 3).toFixed(1),
      (3.5 + (n % 5) / 100).toFixed(2),
    ];
    return [new Date(end - (191 - i) * QUARTER_MS).toISOString(), ...values].join(',');
  });
  return `time,temperature,humidity,battery\n${lines.join('\n')}\n`;
}

/** Sixty recordings in a plant; the 37th drifts. */
async function makePlant(api: Api, names: (n: number) => string = (n) => `PT-${101 + n}`): Promise<string> {
  const project_id = await makeProject(api, 'Plant');
  const devices = await makeDevices(
    api,
    project_id,
    Array.from({ length: 60 }, (_, n) => ({ name: names(n), tags: [`line-${1 + (n % 5)}`, 'hall-a'] })),
  );
  for (const [n, { device_id }] of devices.entries())
    await expectDone(
      api('POST', `/_local/v1/projects/${project_id}/devices/${device_id}/records?format=csv`, {
        body: recording(n, n === 36 ? 7 : 0),
        type: 'text/csv',
      }),
    );
  const [first] = devices;
  if (!first) throw new Error('no device was made');
  await expectDone(
    api('PATCH', `/_local/v1/projects/${project_id}/devices/${first.device_id}/key-settings`, {
      body: {
        key: 'temperature',
        shown_as: 'Temp. supply',
        unit: '°C',
        decimals: 1,
        low: 16,
        high: 22,
        apply_to: 'project',
      },
    }),
  );
  return project_id;
}

const list = (page: Page) => page.getByRole('table', { name: 'Devices' });
const wall = (page: Page) => page.getByRole('list', { name: 'Devices' });
const header = (page: Page, name: string | RegExp) => list(page).getByRole('columnheader', { name });

/** How many trends were asked for, and how many devices each question was about. */
function countQuestions(page: Page): number[] {
  const asked: number[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const ids = /"series\.trends".*?"ids":"([^"]*)"/.exec(String(payload))?.[1];
      if (ids !== undefined) asked.push(ids.split(',').length);
    }),
  );
  return asked;
}

const PT = (n: number) => `PT-${101 + n}`;
const ODD = (n: number) => (n === 3 ? LONG : n === 4 ? HEBREW : PT(n));

test('the one of sixty recordings that drifts is on top after one press, without any setting', async ({
  page,
  api,
}) => {
  const project_id = await makePlant(api, ODD);
  await visit(page, `#/projects/${project_id}`);
  await expect(list(page)).toBeVisible();
  // Nobody said by which key: the one by which somebody is farthest from the others.
  await expect(header(page, /^Temp. supply, last day/)).toBeVisible();
  const said = page.getByRole('button', { name: '1 unlike the others in Temp. supply' });
  await expect(said).toBeVisible();
  await look(page, 'devices-alike');

  // One press.
  await header(page, 'Deviation').getByRole('button').click();
  await expect(header(page, 'Deviation')).toHaveAttribute('aria-sort', 'descending');
  const first = list(page).getByRole('row').nth(1);
  await expect(first.getByRole('link')).toHaveText('PT-137');
  await expect(first.getByRole('img', { name: 'Not like the others' })).toBeVisible();
  await expect(first).toContainText(/\+3\.\d\d\u00A0°C/);
  await expect(list(page).getByRole('img', { name: 'Not like the others' })).toHaveCount(1);
  await expect(
    first.getByTitle(
      /above the median of 60 devices, 18\.\d\d\u00A0°C; .* × MAD of .*\. Marked from 8 × MAD on$/,
    ),
  ).toBeVisible();
  await look(page, 'devices-unlike');

  // Or the words of it, from any order.
  await header(page, 'Name').getByRole('button').click();
  await expect(list(page).getByRole('link').first()).not.toHaveText('PT-137');
  await said.click();
  await expect(list(page).getByRole('link').first()).toHaveText('PT-137');
  await expect(page).toHaveURL(/trend=temperature/);
});

test('recordings say once that they are such, and what is in the list is asked for in few questions', async ({
  page,
  api,
}) => {
  const project_id = await makePlant(api);
  const asked = countQuestions(page);
  await visit(page, `#/projects/${project_id}`);
  const main = page.getByRole('main');
  await expect(main).toContainText('60 devices · 60 recordings');
  await expect(main).not.toContainText(/never/i);
  const row = list(page).getByRole('row').nth(1);
  await expect(row).toContainText('Recording');
  await expect(row).toContainText(/2026-10-2[34]/);
  await expect(header(page, 'Newest record')).toBeVisible();
  const images = list(page).getByRole('img', { name: /last day: / });
  await expect.poll(() => images.count()).toBeGreaterThan(10);
  await expect(page.getByRole('button', { name: /unlike the others/ })).toBeVisible();
  // Curves of what is in sight, and levels of all by the three keys that have columns.
  expect(asked.length).toBeLessThanOrEqual(8);
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('status:never ');
  await expect(page.getByText(/No device matches/)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search devices' }).press('Escape');
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('status:recording ');
  await expect(page.getByText('60 of 60 devices')).toBeVisible();
});

test('devices are compared with those of the same tags, and not by fewer than four', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Cold store');
  const devices = await makeDevices(
    api,
    project_id,
    Array.from({ length: 10 }, (_, n) => ({
      name: PT(n),
      tags: [n < 5 ? 'freezer' : 'hall', ...(n > 6 ? ['south'] : [])],
    })),
  );
  for (const [n, device] of devices.entries())
    await store(api, device, { temperature: (n < 5 ? -18 : 21) + n / 100 + (n === 2 ? 3 : 0) });
  await visit(page, `#/projects/${project_id}`);
  const unlike = list(page).getByRole('img', { name: 'Not like the others' });
  // Among freezers and halls one that is not cold enough is none of a kind.
  await expect(header(page, 'Deviation')).toBeVisible();
  await expect(unlike).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('tag:freezer ');
  await expect(
    list(page)
      .getByRole('row', { name: /PT-103/ })
      .getByRole('img', { name: 'Not like the others' }),
  ).toBeVisible();
  await expect(unlike).toHaveCount(1);
  // Words do not change what is compared.
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('pt-103');
  await expect(unlike).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('');
  await page.getByRole('button', { name: 'Remove the filter tag:freezer' }).click();
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('tag:south ');
  await expect(list(page).getByRole('link')).toHaveCount(3);
  await expect(header(page, 'Deviation')).toHaveCount(0);
});

test('the key of the curves is chosen in their header, of three hundred by its name', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  const devices = await makeDevices(
    api,
    project_id,
    Array.from({ length: 5 }, (_, n) => ({ name: PT(n) })),
  );
  const keys = Array.from({ length: 300 }, (_, k) => `key_${String(k).padStart(3, '0')}`);
  // A record holds at most 256 keys.
  for (const [n, device] of devices.entries())
    for (const some of [keys.slice(0, 150), keys.slice(150)])
      await store(api, device, Object.fromEntries(some.map((key) => [key, Number(key.slice(4)) + n])));
  await visit(page, `#/projects/${project_id}`);
  await expect(header(page, /^key_000, last day/)).toBeVisible();
  await page.getByRole('button', { name: 'Key of the last day' }).press('Enter');
  await page.getByRole('textbox', { name: 'Search keys' }).fill('key_27');
  await page.getByRole('menuitemradio', { name: 'key_277' }).press('Enter');
  await expect(header(page, /^key_277, last day/)).toBeVisible();
  await expect(list(page).getByRole('img', { name: 'key_277, last day: 279 to 279' })).toBeVisible();
  await expect(page).toHaveURL(/trend=key_277/);
  await page.reload();
  await expect(header(page, /^key_277, last day/)).toBeVisible();
});

test('all curves stand on a wall, which is walked by keyboard and opens a device', async ({ page, api }) => {
  const project_id = await makePlant(api, ODD);
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('button', { name: 'Wall of curves' }).click();
  const cells = wall(page).getByRole('listitem');
  await expect(cells.first()).toHaveAttribute('aria-setsize', '60');
  await expect(
    wall(page)
      .getByRole('img', { name: /^Temp. supply, last day: 1\d(\.\d+)?/ })
      .first(),
  ).toBeVisible();
  await look(page, 'wall');
  await page.getByRole('button', { name: 'By deviation' }).click();
  await expect(cells.first()).toContainText('PT-137');
  await expect(cells.first().getByRole('img', { name: 'Not like the others' })).toBeVisible();
  await look(page, 'wall-unlike');

  const { keyboard } = page;
  const link = (n: number) => page.locator(`[data-cell="${n}"]`);
  await keyboard.press('/');
  await keyboard.press('ArrowDown');
  await expect(link(0)).toBeFocused();
  await keyboard.press('ArrowRight');
  await expect(link(1)).toBeFocused();
  await keyboard.press('End');
  await expect(link(59)).toBeFocused();
  await keyboard.press('ArrowLeft');
  await expect(link(58)).toBeFocused();
  await keyboard.press('Home');
  await keyboard.press('ArrowUp');
  await expect(page.getByRole('searchbox', { name: 'Search devices' })).toBeFocused();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'PT-137' })).toBeVisible();
  await page.goBack();
  await expect(cells.first()).toContainText('PT-137');

  // As narrow as a window may be, nothing is scrolled sideways.
  await page.setViewportSize({ width: 820, height: 600 });
  const frame = wall(page).locator('..');
  expect(await frame.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await expect(cells.first()).toBeInViewport({ ratio: 0.99 });
  await shotNarrow(page, 'wall-820');
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await expect(list(page).getByRole('link').first()).toHaveText('PT-137');
  await shotNarrow(page, 'devices-820');
});

async function shotNarrow(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `screenshots/console/${name}-${colorScheme}.png` });
  }
}
