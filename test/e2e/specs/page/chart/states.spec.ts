import type { Page } from '@playwright/test';
import { expect, shot, test } from '../../../app.ts';
import { violationsIn } from '../../../axe.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice } from '../../../steps/steps.ts';

/* Texts and booleans as strips: what held, from when to when, and for how long. */

const START = Date.UTC(2026, 0, 5, 8);

const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
/** The clock on this machine's wall. Swedes write times so. */
const clock = (minute: number) =>
  new Date(START + minute * 60_000).toLocaleTimeString('sv-SE', { timeStyle: 'short' });

const strip = (page: Page, key: string) => page.locator(`[data-testid="state-strip"][data-key="${key}"]`);
const words = (page: Page, key: string) => strip(page, key).getByTestId('state-words');

async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsIn(page)).toEqual([]);
}

test('the plot stays as it is when the states below it come', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const door = (minute: number) => (minute < 100 ? 'shut' : 'open');
  await store(
    api,
    device,
    Array.from({ length: 400 }, (_, minute) => ({ timestamp: at(minute), pressure: 4, door: door(minute) })),
  );
  const heights = await page.evaluateHandle(() => {
    const seen = new Set<number>();
    const look = () => {
      const plot = document.querySelector('[data-testid=chart] .u-over');
      if (plot) seen.add(plot.clientHeight);
      requestAnimationFrame(look);
    };
    look();
    return seen;
  });
  await visitDevice(page, device);
  await expectChart(page, 400);
  await expect(strip(page, 'door')).toBeVisible();
  expect(await heights.evaluate((seen) => [...seen])).toHaveLength(1);
});

test('states stand below the chart, where its time is, and are read by mouse and keys', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const records = Array.from({ length: 400 }, (_, minute) => ({
    timestamp: at(minute),
    pressure: 4 + Math.sin(minute / 40),
    door: minute < 100 || minute > 168 ? 'shut' : 'open',
    pump: minute % 80 < 60,
    free: `text ${minute}`,
  }));
  await store(api, device, records);
  await visitDevice(page, device);
  await expectChart(page, 400);
  // What has a word for every record is no state.
  await expect(page.getByTestId('states')).toHaveAttribute('data-strips', '2');

  const slider = page.getByRole('slider', { name: 'door over time' });
  await slider.focus();
  await expect(words(page, 'door')).toHaveText(new RegExp(`^shut, since ${clock(169)}, at least`));
  await page.keyboard.press('ArrowLeft');
  const open = `open, ${clock(100)}–${clock(169)}, 1 h 9 min`;
  await expect(words(page, 'door')).toHaveText(open);
  await expect(slider).toHaveAttribute('aria-valuetext', open);
  await page.keyboard.press('Home');
  await expect(words(page, 'door')).toHaveText(`shut, ${clock(0)}–${clock(100)}, 1 h 40 min`);

  const box = await slider.boundingBox();
  if (!box) throw new Error('There is no strip.');
  await page.mouse.move(box.x + box.width * 0.33, box.y + box.height / 2);
  await expect(words(page, 'door')).toHaveText(open);
  // It begins and ends with the plot.
  const plot = await page.getByTestId('chart').locator('.u-over').boundingBox();
  expect(Math.abs((plot?.x ?? 0) - box.x)).toBeLessThanOrEqual(1);
  expect(Math.abs((plot?.width ?? 0) - box.width)).toBeLessThanOrEqual(1);
  await page.mouse.move(0, 0);

  // A closer look tells more: the window's ends, and that it held before.
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await expect(words(page, 'door')).toHaveText(/^shut, until|^shut, all of this span|^shut, since/);
  await page.keyboard.press('0');
  await shot(page, 'states');
  await expectAccessible(page);
});

test('a boolean is a state and no line, and its strip says how often it was true', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Rig');
  await store(
    api,
    device,
    Array.from({ length: 200 }, (_, minute) => ({
      timestamp: at(minute),
      force: 20 + Math.sin(minute / 9),
      ok: minute % 20 !== 7,
    })),
  );
  await visitDevice(page, device);
  await expectChart(page, 200);
  await expect(strip(page, 'ok').getByTestId('state-share')).toHaveText('true 95 %, 20 changes');
  const legend = page.getByRole('table', { name: 'Lines of the chart' });
  await expect(legend).toContainText('force');
  await expect(legend.getByRole('checkbox', { name: 'ok' })).toHaveCount(0);
  await shot(page, 'states-boolean');
});

test('a device of texts alone has a picture, too', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Doors'), 'Gate');
  await store(api, device, [
    { timestamp: at(0), gate: 'shut' },
    { timestamp: at(30), gate: 'open' },
    { timestamp: at(98), gate: 'shut' },
    { timestamp: at(120), gate: 'open' },
  ]);
  await visitDevice(page, device);
  const slider = page.getByRole('slider', { name: 'gate over time' });
  await slider.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(words(page, 'gate')).toHaveText(`open, ${clock(30)}–${clock(98)}, 1 h 8 min`);
  await shot(page, 'states-alone');
  await expectAccessible(page);
});

test('texts that are no states say so', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Logs'), 'Logger');
  await store(
    api,
    device,
    Array.from({ length: 40 }, (_, minute) => ({ timestamp: at(minute), line: `line ${minute}` })),
  );
  await visitDevice(page, device);
  await expect(page.getByText('No numeric keys')).toBeVisible();
});
