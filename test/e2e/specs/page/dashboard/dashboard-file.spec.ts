import { readFile } from 'node:fs/promises';
import { expect, test } from '../../../app.ts';
import { look } from '../../../look.ts';
import { makeWidget, placesIn, sourcesOf, visitDashboard, widgetOf } from '../../../steps/dashboard-steps.ts';
import { makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';

/* A dashboard as a file, and into another project (docs/dashboards.md, "Export and import"). */

test('a dashboard goes as a file into another project, which says beforehand what is not there', async ({
  page,
  api,
}) => {
  const [hall, roof] = [await makeProject(api, 'Machine hall'), await makeProject(api, 'Roof')];
  const [press, pump] = [await makeDevice(api, hall, 'Press 4'), await makeDevice(api, hall, 'Pump')];
  const twin = await makeDevice(api, roof, 'Press 4');
  await store(api, twin, { bar: 7.5 });
  const layout = { x: 2, y: 1, w: 4, h: 3 };
  await makeWidget(api, hall, {
    title: 'Both',
    type: 'value',
    sources: sourcesOf('bar', press, pump),
    layout,
  });
  await visitDashboard(page, hall);
  await page.getByRole('button', { name: 'More actions' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as a file' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('dashboard-Machine hall.json');
  const file = {
    name: 'hall.json',
    mimeType: 'application/json',
    buffer: await readFile(await saved.path()),
  };
  expect(JSON.parse(file.buffer.toString())).toMatchObject({
    fieldbench: 'dashboard',
    version: 1,
    widgets: [{ title: 'Both', layout }],
  });

  const choose = async (chosen: typeof file) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Import from a file…' }).click();
    await (await choosing).setFiles(chosen);
  };
  await visit(page, `#/projects/${roof}/dashboard`);
  await expect(page.getByText('No widgets yet')).toBeVisible();
  await choose(file);
  const dialog = page.getByRole('dialog', { name: 'Import widgets from “hall.json”' });
  await expect(dialog).toContainText('1 device found by name:Press 4');
  await expect(dialog.getByRole('status')).toContainText('1 device not found in this project');
  await expect(dialog).toContainText('Pump');
  await look(page, 'dashboard-import');
  expect(await placesIn(api, roof)).toEqual({});
  await dialog.getByRole('button', { name: 'Add 1 widget' }).click();
  await expect(widgetOf(page, 'Both')).toContainText('7.5');
  expect(await placesIn(api, roof)).toEqual({ Both: '2 1 4 3' });

  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('No widgets yet')).toBeVisible();
  await choose({ ...file, buffer: Buffer.from('not JSON') });
  await expect(dialog.getByRole('alert')).toContainText('“hall.json” is no JSON');
  await page.keyboard.press('Escape');
  await choose({ ...file, buffer: Buffer.from('{"fieldbench": "dashboard", "version": 2}') });
  await expect(dialog.getByRole('alert')).toContainText('dashboard.version must be 1');
  await expect(dialog.getByRole('button', { name: 'Add widgets' })).toBeDisabled();
});
