import { expect, test } from '../../../app.ts';
import { openMore } from '../../../steps/chart-steps.ts';
import { check, look, READINGS } from '../../../look.ts';
import { slowImport } from '../../../slow-import.ts';
import { expectChart, makeDevice, makeProject, store, visit, visitDevice } from '../../../steps/steps.ts';

/* What stands around the screens, and several devices at once, seen in both themes and checked against WCAG 2.1 A and AA. */

// The stand-in shows the same page in the same Chromium as the console, and looking at all of it takes minutes.
test.skip(({ host }) => host === 'stand-in', 'the console has the same page');

test('what stands around the screens: the tree, its drawer, the jobs, the palette', async ({
  page,
  api,
  app,
}) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4', { tags: ['hydraulic'] });
  await makeDevice(api, project_id, 'Press 4');
  await store(api, press, READINGS);
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('treeitem', { name: /Press 4/ })).toHaveCount(2);
  await look(page, 'tree-beside');
  const upload = slowImport(app.ready, press);
  await page.getByRole('button', { name: 'Jobs: 1 running' }).click();
  await expect(page.getByRole('dialog', { name: 'Jobs' })).toBeVisible();
  await look(page, 'jobs-running');
  upload.finish();
  await expect(page.getByRole('dialog', { name: 'Jobs' })).toContainText('Done');
  await look(page, 'jobs-done');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: 'Go to or do' }).fill('press');
  await expect(page.getByRole('button', { name: /^Press 4/ })).toHaveCount(2);
  await look(page, 'palette-found');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 820, height: 600 });
  await page.getByRole('button', { name: 'Show projects and devices' }).click();
  const drawer = page.getByRole('dialog', { name: 'Projects' });
  await expect(drawer.getByRole('treeitem', { name: /Press 4/ })).toHaveCount(2);
  for (const colorScheme of ['light', 'dark'] as const) await check(page, 'tree-drawer', colorScheme);
});

test('several devices compared, one over the whole window, and what is saved of it', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Machine hall');
  const devices = [
    await makeDevice(api, project_id, 'Press 4'),
    await makeDevice(api, project_id, 'ضاغط الهواء '.repeat(7)),
  ];
  for (const device of devices) await store(api, device, READINGS);
  await visit(page, '#/views');
  await expect(page.getByText('No saved views')).toBeVisible();
  await look(page, 'saved-views-empty');
  await visit(page, `#/compare?d=${devices.map(({ device_id }) => device_id).join(',')}&k=pressure`);
  await expect(page.getByTestId('compare')).toHaveAttribute('data-state', 'ready');
  await look(page, 'compare');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'save-view');
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
  // With the notice that says so.
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeVisible();
  await visit(page, '#/views');
  await expect(page.getByRole('table', { name: 'Saved views' })).toBeVisible();
  await look(page, 'saved-views');
  await visitDevice(page, devices[0]!);
  await expectChart(page, 600);
  await openMore(page, 'Full screen (F)');
  await look(page, 'full-screen');
});

test('menus with a search for keys among their items, and names of keys longer than they are wide', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  const name = (n: number) => `channel_${n}_inlet_temperature_of_the_secondary_cooling_loop`;
  await store(api, press, Object.fromEntries(Array.from({ length: 12 }, (_, n) => [name(n + 10), n])));
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('link', { name: 'Press 4' }).last()).toBeVisible();
  for (const button of ['Columns', 'Key of the last day']) {
    await page.getByRole('button', { name: button }).click();
    const dropdown = page.getByRole('dialog').filter({ has: page.getByRole('menu', { name: 'Keys' }) });
    await expect(dropdown.getByRole('textbox', { name: 'Search keys' })).toBeVisible();
    const items = dropdown.getByRole('menu', { name: 'Keys' }).locator('button');
    await expect(items).toHaveCount(12);
    await expect(items.first().getByTitle(name(10))).toBeVisible();
    await look(page, `menu-of-keys-${button.slice(0, 3).toLowerCase()}`);
    expect(await dropdown.evaluate((menu) => menu.scrollWidth - menu.clientWidth)).toBe(0);
    // By arrows as in any menu.
    await items.first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(items.nth(1)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dropdown).toHaveCount(0);
  }
});
