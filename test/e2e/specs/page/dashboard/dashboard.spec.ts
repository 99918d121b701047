import { expect, test } from '../../../app.ts';
import {
  dragBy,
  makeWidget,
  placesIn,
  sourcesOf,
  visitDashboard,
  widgetOf,
  widgetsPath,
} from '../../../steps/dashboard-steps.ts';
import { choose, expectDone, makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';
import { look } from '../../../look.ts';

/* A dashboard (docs/dashboards.md): made, moved and sized, by pointer and by keyboard. */

test('a dashboard is made from nothing, and is then the first page of its project', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  await store(api, press, { bar: 4.25, state: 'running' });
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('link', { name: 'Press 4' }).last()).toBeVisible();
  await page.getByRole('button', { name: 'Dashboard', exact: true }).click();
  await expect(page.getByText('No widgets yet')).toBeVisible();
  await look(page, 'dashboard-empty');

  await page.getByRole('button', { name: 'Add the first widget' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a widget' });
  await dialog.getByRole('button', { name: 'Add widget' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveAccessibleDescription('Enter a title.');
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Pressure');
  await dialog.getByRole('button', { name: 'Add widget' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Device 1' })).toHaveAccessibleDescription(
    'Choose a device.',
  );
  await choose(dialog, 'Device 1', 'Press 4');
  await dialog.getByRole('button', { name: 'Add widget' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Keys 1' })).toHaveAccessibleDescription('Choose a key.');
  await expect(page.getByRole('option', { name: 'bar' })).toBeVisible();
  await look(page, 'dashboard-add-wrong');
  await choose(dialog, 'Keys 1', 'bar');
  await page.keyboard.press('Escape');
  await look(page, 'dashboard-add');
  await dialog.getByRole('button', { name: 'Add widget' }).click();
  await expect(dialog).toHaveCount(0);
  const chart = widgetOf(page, 'Pressure').getByTestId('widget-chart');
  await expect(chart).toHaveAttribute('data-state', 'ready');
  await expect(chart).toHaveAttribute('data-points', '1');
  await expect(chart.getByRole('list', { name: 'Lines' })).toContainText('4.25');

  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Title' }).fill('Rota');
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Note' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('Monday: Ada\nTuesday: Grace');
  await page.getByRole('button', { name: 'Add widget' }).last().click();
  await expect(widgetOf(page, 'Rota')).toContainText('Monday: Ada');
  expect(await placesIn(api, project_id)).toEqual({ Pressure: '0 0 6 6', Rota: '6 3 4 3' });

  await visit(page, '#/');
  await page.getByRole('main').getByRole('link', { name: 'Machine hall' }).click();
  await expect(widgetOf(page, 'Rota')).toBeVisible();
  await page.keyboard.press('d');
  await expect(page.getByRole('table', { name: 'Devices' })).toBeVisible();
  expect(new URL(page.url()).hash).toContain('view=list');
  await page.reload();
  await expect(page.getByRole('table', { name: 'Devices' })).toBeVisible();
  await page.keyboard.press('d');
  await expect(widgetOf(page, 'Rota')).toBeVisible();
});

test('widgets are dragged and sized by the pointer, what lies there makes room, and all of it is undone', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Machine hall');
  for (const [title, y] of [
    ['A', 0],
    ['B', 2],
  ] as const)
    await makeWidget(api, project_id, { title, type: 'text', layout: { x: 0, y, w: 4, h: 2, text: title } });
  await visitDashboard(page, project_id);
  await page.keyboard.press('e');
  const [a, b] = [widgetOf(page, 'A'), widgetOf(page, 'B')];
  const { width, height } = (await a.boundingBox()) ?? { width: 0, height: 0 };
  // As wide as it is, and a gap, are four columns.
  await dragBy(page, a.getByRole('heading'), width + 8, 0);
  await expect(a).toHaveAttribute('data-place', '4 0 4 2');
  await expect.poll(() => placesIn(api, project_id)).toEqual({ A: '4 0 4 2', B: '0 2 4 2' });
  await dragBy(page, a.getByTestId('corner'), width + 8, height + 8);
  await expect.poll(() => placesIn(api, project_id)).toEqual({ A: '4 0 8 4', B: '0 2 4 2' });
  await dragBy(page, b.getByRole('heading'), width + 8, 0);
  await expect.poll(() => placesIn(api, project_id)).toEqual({ A: '4 4 8 4', B: '4 2 4 2' });
  // Escape leaves it where it was.
  await b.getByRole('heading').hover();
  await page.mouse.down();
  await page.mouse.move(400, 600, { steps: 4 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(b).toHaveAttribute('data-place', '4 2 4 2');

  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => placesIn(api, project_id)).toEqual({ A: '4 0 8 4', B: '0 2 4 2' });
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => placesIn(api, project_id)).toEqual({ A: '0 0 4 2', B: '0 2 4 2' });
  await expect(a).toHaveAttribute('data-place', '0 0 4 2');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => placesIn(api, project_id)).toEqual({ A: '4 0 4 2', B: '0 2 4 2' });
  await expect(a).toHaveAttribute('data-place', '4 0 4 2');
  // The latest move is taken back first, though it is not saved yet.
  await dragBy(page, b.getByRole('heading'), width + 8, 0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('Taken back: place of “B”.')).toBeVisible();
  await expect.poll(() => placesIn(api, project_id)).toEqual({ A: '4 0 4 2', B: '0 2 4 2' });
  await expect(b).toHaveAttribute('data-place', '0 2 4 2');
});

test('by the keyboard alone a widget is moved, sized, changed, deleted, and had back', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Machine hall');
  const layout = { x: 0, y: 0, w: 4, h: 2, text: 'Monday' };
  await makeWidget(api, project_id, { title: 'Rota', type: 'text', layout });
  await visitDashboard(page, project_id);
  await page.keyboard.press('e');
  const rota = widgetOf(page, 'Rota');
  await expect(rota).toHaveAttribute('data-editing', 'true');
  for (let tabs = 0; tabs < 40; tabs++) {
    if (await rota.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(rota).toBeFocused();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowDown'])
    await page.keyboard.press(key);
  await expect(page.getByTestId('dashboard').getByRole('status')).toHaveText(
    '“Rota”: column 3, row 2, 5 wide, 3 high',
  );
  await expect.poll(() => placesIn(api, project_id)).toEqual({ Rota: '2 1 5 3' });
  await expect(rota).toBeFocused();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('dashboard').getByRole('status')).toContainText('the grid ends there');
  await look(page, 'dashboard-edited');

  await rota.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Text' }).fill('Tuesday');
  await page.getByRole('textbox', { name: 'Title' }).press('Enter');
  await expect(rota).toContainText('Tuesday');
  await rota.focus();
  await page.keyboard.press('Delete');
  await expect(page.getByText('No widgets yet')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(rota).toContainText('Tuesday');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(rota).toContainText('Monday');
});

test('what another window changed meanwhile is said, and stays', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  const layout = { x: 0, y: 0, w: 4, h: 3 };
  const id = await makeWidget(api, project_id, {
    title: 'Last',
    type: 'value',
    sources: sourcesOf('bar', press),
    layout,
  });
  await visitDashboard(page, project_id);
  await page.keyboard.press('e');
  const last = widgetOf(page, 'Last');
  await last.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => placesIn(api, project_id)).toEqual({ Last: '1 0 4 3' });
  const body = { layout: { ...layout, y: 5 } };
  await expectDone(api('PATCH', `${widgetsPath(project_id)}/${id}`, { body }));
  await expect(last).toHaveAttribute('data-place', '0 5 4 3');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('alert').filter({ hasText: 'could not be undone' })).toContainText(
    'the layout of the widget "Last" was changed',
  );
  expect(await placesIn(api, project_id)).toEqual({ Last: '0 5 4 3' });
});
