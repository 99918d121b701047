import type { Page } from '@playwright/test';
import { expect, shot, test } from '../../../app.ts';
import {
  expectChart,
  expectDone,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
  type MadeDevice,
} from '../../../steps/steps.ts';
import type { Api } from '../../../api.ts';

/* The tree beside every screen, and the way from a device to those beside it. */

const tree = (page: Page) => page.getByRole('tree', { name: 'Projects and devices' });
const item = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

const readings = (level: number) =>
  Array.from({ length: 200 }, (_, minute) => ({
    timestamp: new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString(),
    temperature: level + Math.sin(minute / 20),
    humidity: 40 + (minute % 10),
  }));

/** Two projects, the first with four devices. */
async function makePlant(api: Api): Promise<{ north: string; devices: MadeDevice[] }> {
  const north = await makeProject(api, 'Plant North');
  const devices: MadeDevice[] = [];
  for (const name of ['PT-10', 'PT-2', 'PT-9', 'Valve'])
    devices.push(await makeDevice(api, north, name, { tags: ['line-3'] }));
  const south = await makeProject(api, 'Plant South');
  await makeDevice(api, south, 'Boiler', { tags: ['cellar'] });
  return { north, devices };
}

test('the tree says how projects and devices are, and leads to them', async ({ page, api }) => {
  const { north, devices } = await makePlant(api);
  const [ten, two] = devices as [MadeDevice, MadeDevice];
  await store(api, ten, { temperature: 21.456 });
  await store(api, two, { temperature: 99 });
  for (const { device_id } of [ten, two])
    await expectDone(
      api('PATCH', `/_local/v1/projects/${north}/devices/${device_id}/key-settings`, {
        body: { key: 'temperature', unit: '°C', decimals: 1, high: 30 },
      }),
    );
  await page.reload();
  const project = item(page, /^Plant North/);
  await expect(project).toHaveAttribute('aria-expanded', 'false');
  await expect(project.getByRole('img', { name: '2 online' })).toBeVisible();
  await expect(project.getByRole('img', { name: '2 never' })).toBeVisible();
  await project.getByTestId('fold').click();
  await expect(project).toHaveAttribute('aria-expanded', 'true');
  // By name, numbers in it by value.
  await expect(tree(page).getByRole('treeitem', { name: /^(Online|Never)/ })).toHaveText([
    /^PT-2/,
    /^PT-9/,
    /^PT-10/,
    /^Valve/,
  ]);
  await expect(item(page, /PT-10/)).toContainText('21.5 °C');
  await expect(item(page, /PT-2/).getByRole('img', { name: 'Outside its normal range' })).toBeVisible();
  await expect(item(page, /PT-10/).getByRole('img', { name: 'Outside its normal range' })).toHaveCount(0);
  await item(page, /PT-9/).click();
  await expect(heading(page, 'PT-9')).toBeFocused();
  await expect(item(page, /PT-9/)).toHaveAttribute('aria-current', 'page');
  await shot(page, 'tree');

  // As it was left, also in a window that is opened again; what changes shows by itself.
  await page.reload();
  await expect(item(page, /PT-9/)).toHaveAttribute('aria-current', 'page');
  await store(api, ten, { temperature: 22 });
  await expect(item(page, /PT-10/)).toContainText('22.0 °C');
  await makeDevice(api, north, 'PT-3');
  await expect(item(page, /PT-3/)).toBeVisible();
});

test('the tree goes by keyboard alone', async ({ page, api }) => {
  const { keyboard } = page;
  await makePlant(api);
  await expect(item(page, /^Plant North/)).toBeVisible();
  await expect(item(page, /^Plant South/)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter projects and devices' }).focus();
  await keyboard.press('Tab');
  await expect(item(page, /^Plant North/)).toBeFocused();
  await keyboard.press('ArrowRight');
  await expect(item(page, /PT-2/)).toBeVisible();
  await keyboard.press('ArrowRight');
  await expect(item(page, /PT-2/)).toBeFocused();
  await keyboard.press('End');
  await expect(item(page, /^Plant South/)).toBeFocused();
  await keyboard.press('ArrowUp');
  await expect(item(page, /Valve/)).toBeFocused();
  await keyboard.press('ArrowLeft');
  await expect(item(page, /^Plant North/)).toBeFocused();
  // Letters go to a name; "n" is no new project here.
  await keyboard.type('pt-9');
  await expect(item(page, /PT-9/)).toBeFocused();
  await keyboard.press('n');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await keyboard.press('Home');
  await keyboard.press('ArrowLeft');
  await expect(item(page, /PT-9/)).toHaveCount(0);
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(heading(page, 'Plant South')).toBeFocused();
  // It opens as it is gone to.
  await expect(item(page, /Boiler/)).toBeVisible();
});

test('the filter finds devices of every project by all that they are found by', async ({ page, api }) => {
  await makePlant(api);
  const filter = page.getByRole('searchbox', { name: 'Filter projects and devices' });
  await filter.fill('cellar');
  await expect(item(page, /Boiler/)).toBeVisible();
  await expect(item(page, /^Plant North/)).toHaveCount(0);
  await filter.fill('line-3 pt');
  await expect(tree(page).getByRole('treeitem', { name: /PT/ })).toHaveCount(3);
  await filter.fill('nothing such');
  await expect(page.getByText('Nothing by that name.')).toBeVisible();
  await filter.press('Escape');
  await expect(tree(page).getByRole('treeitem')).toHaveCount(2);
});

test('[ and ] go to the devices beside, which show the same tab, keys and span', async ({ page, api }) => {
  const { devices } = await makePlant(api);
  for (const [index, device] of devices.entries()) await store(api, device, readings(20 + index));
  const [, two] = devices as [MadeDevice, MadeDevice];
  await visit(page, `#/projects/${two.project_id}/devices/${two.device_id}?keys=humidity`);
  await expectChart(page, 200);
  await expect(heading(page, 'PT-2')).toBeVisible();
  await page.keyboard.press(']');
  await expect(heading(page, 'PT-9')).toBeFocused();
  expect(page.url()).toContain('keys=humidity');
  await expectChart(page, 200);
  await page.getByRole('button', { name: 'Next device' }).click();
  await expect(heading(page, 'PT-10')).toBeVisible();
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.keyboard.press('[');
  await expect(heading(page, 'PT-9')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Table' })).toHaveAttribute('aria-selected', 'true');
  expect(page.url()).toContain('keys=humidity');
  await page.keyboard.press('[');
  await expect(heading(page, 'PT-2')).toBeVisible();
  // It is the first one.
  await page.keyboard.press('[');
  await expect(page.getByRole('button', { name: 'Previous device' })).toBeDisabled();
  await expect(heading(page, 'PT-2')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'PT-9')).toBeVisible();
});

test('Ctrl B folds the tree away, also for the next time; a narrow window has it in a drawer', async ({
  page,
  api,
}) => {
  const { devices } = await makePlant(api);
  await visitDevice(page, devices[0]!);
  await expect(item(page, /PT-10/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+b');
  await expect(tree(page)).toHaveCount(0);
  await page.reload();
  await expect(heading(page, 'PT-10')).toBeVisible();
  await expect(tree(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Show projects and devices' }).click();
  await expect(item(page, /PT-10/)).toBeVisible();

  await page.setViewportSize({ width: 820, height: 600 });
  await expect(tree(page)).toHaveCount(0);
  const button = page.getByRole('button', { name: 'Show projects and devices' });
  await button.click();
  const drawer = page.getByRole('dialog', { name: 'Projects' });
  await expect(drawer.getByRole('treeitem', { name: /PT-9/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(button).toBeFocused();
  // Before the drawer has taken the focus.
  for (let again = 0; again < 4; again++) {
    await button.click();
    await page.keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await page.keyboard.press('ControlOrMeta+b');
  await drawer.getByRole('treeitem', { name: /PT-9/ }).click();
  await expect(heading(page, 'PT-9')).toBeVisible();
  await expect(drawer).toHaveCount(0);
  await expect(heading(page, 'PT-9')).toBeFocused();
});

test('the words below the tree lead to the other screens, and say how much was deleted', async ({
  page,
  api,
}) => {
  const { north, devices } = await makePlant(api);
  const links = page.getByRole('navigation', { name: 'Main' });
  await expect(links.getByRole('link', { name: 'Recently deleted', exact: true })).toBeVisible();
  const path = `/_local/v1/projects/${north}/devices/${devices[0]?.device_id}`;
  await expectDone(api('DELETE', path));
  await expect(item(page, /PT-10/)).toHaveCount(0);
  await links.getByRole('link', { name: 'Recently deleted (1)' }).click();
  await expect(heading(page, 'Recently deleted')).toBeFocused();
  await expect(links.getByRole('link', { name: 'Recently deleted (1)' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await links.getByRole('link', { name: 'Service', exact: true }).click();
  await expect(heading(page, 'Service')).toBeFocused();
});

const MANY = 10_000;

test('ten thousand devices lie in the tree with few rows and no long task', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  for (let from = 0; from < MANY; from += 2_000) {
    const devices = Array.from({ length: 2_000 }, (_, n) => ({ name: `Sensor ${from + n + 1}` }));
    await expectDone(api('POST', `/_local/v1/projects/${project_id}/devices`, { body: { devices } }));
  }
  await page.reload();
  await visit(page, '#/service');
  const project = item(page, /^Plant/);
  await expect(project.getByRole('img', { name: '10,000 never' })).toBeVisible();
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
    });
  });
  await project.focus();
  await page.keyboard.press('ArrowRight');
  await expect(item(page, /Sensor 1$/)).toBeVisible();
  await page.keyboard.press('End');
  await expect(item(page, /Sensor 10000$/)).toBeFocused();
  expect(await tree(page).getByRole('treeitem').count()).toBeLessThan(80);
  await page.getByRole('searchbox', { name: 'Filter projects and devices' }).pressSequentially('sensor 9999');
  await expect(item(page, /Sensor 9999$/)).toBeVisible();
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
  console.log(`Long tasks over ten thousand devices: ${tasks.map(Math.round).join(', ') || 'none'}.`);
});

test('like devices all have their value beside their name, or none has, however many digits one takes', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  const numbers = [19.5, 19.41, 20, 18.02];
  /** Devices with names of one length, and how many of them have their value in the tree. */
  const shownOf = async (name: string) => {
    const devices: MadeDevice[] = [];
    for (const [n, temperature] of numbers.entries()) {
      const device = await makeDevice(api, project_id, `${name}${n}`);
      await store(api, device, { timestamp: '2026-01-05T08:00:00Z', temperature });
      devices.push(device);
    }
    const [first] = devices;
    const settings = `/_local/v1/projects/${project_id}/devices/${first?.device_id}/key-settings`;
    await expectDone(
      api('PATCH', settings, { body: { key: 'temperature', unit: '°C', apply_to: 'project' } }),
    );
    await visit(page, `#/projects/${project_id}`);
    await expect(item(page, new RegExp(name))).toHaveCount(numbers.length);
    return () => item(page, new RegExp(`${name}.*°C`)).count();
  };
  const short = await shownOf('PT-10');
  await expect.poll(short).toBe(numbers.length);
  const long = await shownOf('Sensor-10');
  await expect.poll(short).toBe(numbers.length);
  expect(await long()).toBe(0);
});
