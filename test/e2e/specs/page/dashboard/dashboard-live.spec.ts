import { expect, test } from '../../../app.ts';
import { check, look } from '../../../look.ts';
import {
  makeWidget,
  sourcesOf,
  visitDashboard,
  widgetOf,
  widgetsPath,
} from '../../../steps/dashboard-steps.ts';
import { makeRule } from '../../../steps/rule-steps.ts';
import { expectDone, makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';

/* What widgets show, live, and what they say where they cannot. */

test('each type shows what its devices store, as it comes', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  const pump = await makeDevice(api, project_id, 'Pump');
  await store(api, press, { bar: 4.25, state: 'running', on: true });
  await store(api, pump, { bar: 2.5 });
  const settings = `/_local/v1/projects/${project_id}/devices/${press.device_id}/key-settings`;
  await expectDone(
    api('PATCH', settings, { body: { key: 'bar', unit: 'bar', low: 3, high: 5, shown_as: 'Pressure' } }),
  );
  const both = sourcesOf('bar', press, pump);
  for (const widget of [
    { title: 'Chart', type: 'chart', sources: both },
    { title: 'Value', type: 'value', sources: sourcesOf('bar', press) },
    { title: 'State', type: 'state', sources: [...sourcesOf('state', press), ...sourcesOf('on', press)] },
    { title: 'Table', type: 'table', sources: both },
    { title: 'Records', type: 'table', sources: sourcesOf('bar', press), layout: { shows: 'records' } },
    { title: 'Alarms', type: 'alarms' },
    { title: 'Note', type: 'text', layout: { text: 'Gate B' } },
  ])
    await makeWidget(api, project_id, widget);
  await page.setViewportSize({ width: 1280, height: 1400 });
  await visitDashboard(page, project_id);
  const chart = widgetOf(page, 'Chart').getByTestId('widget-chart');
  await expect(chart).toHaveAttribute('data-points', '2');
  await expect(chart.getByRole('listitem')).toHaveText([/^Press 4\s*4.25\s*bar$/, /^Pump\s*2.5$/]);
  const value = widgetOf(page, 'Value');
  await expect(value).toContainText('Press 4 · Pressure');
  await expect(value).toContainText('4.25\u00A0bar');
  await expect(value).toContainText('normally 3 to 5\u00A0bar');
  const state = widgetOf(page, 'State');
  await expect(state.getByTestId('state-strip')).toHaveCount(2);
  await expect(state.getByTestId('state-words').first()).toContainText(/running|true/);
  await expect(widgetOf(page, 'Table').getByRole('row')).toHaveCount(3);
  await expect(widgetOf(page, 'Records').getByRole('row')).toHaveCount(2);
  await expect(widgetOf(page, 'Alarms')).toContainText('no device is late');
  await expect(widgetOf(page, 'Note')).toContainText('Gate B');

  await makeRule(api, press, 'Too much pressure', { when: { key: 'bar', above: 9 } });
  await store(api, press, { bar: 9.5, state: 'idle', on: false });
  await expect(value).toContainText('9.5\u00A0bar');
  await expect(value).toContainText('outside');
  await expect(chart).toHaveAttribute('data-points', '3');
  await expect(widgetOf(page, 'Table')).toContainText('9.5\u00A0bar');
  await expect(widgetOf(page, 'Records').getByRole('row')).toHaveCount(3);
  await expect(state.getByTestId('state-words').first()).toContainText(/idle|false/);
  const alarms = widgetOf(page, 'Alarms').getByRole('listitem');
  await expect(alarms.first()).toContainText('Open: Too much pressure', { timeout: 30_000 });
  await expect(alarms.nth(1)).toContainText('normally 3 to 5', { timeout: 30_000 });
  await look(page, 'dashboard');
});

test('a normal range that is set for all devices of a project marks those of a widget, whichever it was set at', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  const pump = await makeDevice(api, project_id, 'Pump');
  for (const device of [press, pump]) await store(api, device, { bar: 2.5 });
  await makeWidget(api, project_id, { title: 'Pump', type: 'value', sources: sourcesOf('bar', pump) });
  await visitDashboard(page, project_id);
  const value = widgetOf(page, 'Pump');
  await expect(value).toContainText('2.5');
  const settings = `/_local/v1/projects/${project_id}/devices/${press.device_id}/key-settings`;
  await expectDone(api('PATCH', settings, { body: { key: 'bar', low: 3, high: 5, apply_to: 'project' } }));
  await expect(value).toContainText('normally 3 to 5');
  await expect(value).toContainText('outside');
});

test('states of a fixed span are without what was removed, as it was corrected, and have what came late', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString();
  const door = (minute: number, state: string) => ({ timestamp: at(minute), door: state });
  await store(api, device, [door(0, 'shut'), door(4, 'open'), door(6, 'ajar'), door(30, 'shut')]);
  const { project_id, device_id } = device;
  const range = { start: at(0), end: at(10) };
  await makeWidget(api, project_id, {
    title: 'Door',
    type: 'state',
    sources: sourcesOf('door', device),
    range,
  });
  await visitDashboard(page, project_id);
  const strip = widgetOf(page, 'Door').getByTestId('state-strip');
  await expect(strip).toContainText('open');
  await expect(strip).toContainText('ajar');
  const path = `/_local/v1/projects/${project_id}/devices/${device_id}`;
  await expectDone(api('DELETE', `${path}/records?start=${at(4)}&end=${at(4)}`));
  await expect(strip).not.toContainText('open');
  const flag = { kind: 'quality', keys: null, quality: 'fail', reason: 'moved', from: at(6), to: at(6) };
  await expectDone(api('POST', `${path}/corrections`, { body: flag }));
  await expect(strip).not.toContainText('ajar');
  // More than went: by their number it is known that there are others.
  await store(api, device, [door(7, 'blocked'), door(8, 'blocked')]);
  await expect(strip).toContainText('blocked');
});

test('a widget says what it cannot show, and the others go on', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  const pump = await makeDevice(api, project_id, 'Pump');
  await store(api, press, { bar: 4.25 });
  await makeWidget(api, project_id, { title: 'Odd', type: 'gauge', range: { last_s: -1 } });
  await makeWidget(api, project_id, { title: 'None', type: 'chart' });
  await makeWidget(api, project_id, { title: 'No text', type: 'state', sources: sourcesOf('bar', press) });
  await makeWidget(api, project_id, { title: 'Silent', type: 'value', sources: sourcesOf('bar', pump) });
  const sources = sourcesOf('bar', press, pump);
  await makeWidget(api, project_id, { title: 'Both', type: 'chart', sources });
  await visitDashboard(page, project_id);
  await expect(widgetOf(page, 'Odd')).toContainText('no widget of the type “gauge”. It is kept as it is.');
  await expect(widgetOf(page, 'None')).toContainText('No device is left in this widget');
  await expect(widgetOf(page, 'No text')).toContainText('Nothing that is a state was stored');
  await expect(widgetOf(page, 'Silent')).toContainText('Nothing stored yet.');
  await expect(widgetOf(page, 'Both').getByTestId('widget-chart')).toHaveAttribute('data-points', '1');
  await look(page, 'dashboard-unshown');

  await expectDone(api('DELETE', `/_local/v1/projects/${project_id}/devices/${pump.device_id}`));
  await expect(widgetOf(page, 'Silent')).toHaveCount(0);
  await expect(widgetOf(page, 'Both').getByTestId('widget-chart')).toHaveAttribute('data-points', '1');
  const { data } = await api('GET', widgetsPath(project_id));
  expect((data as { title: string }[]).map(({ title }) => title)).toEqual(['Odd', 'None', 'No text', 'Both']);
});

test('one span holds for all but those with their own, and a part of it is looked at by dragging', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  const records = Array.from({ length: 60 }, (_, minute) => ({
    timestamp: new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString(),
    bar: minute,
  }));
  await store(api, press, records);
  const sources = sourcesOf('bar', press);
  await makeWidget(api, project_id, { title: 'All', type: 'chart', sources });
  const range = { start: '2026-01-05T08:10:00Z', end: '2026-01-05T08:19:00Z' };
  await makeWidget(api, project_id, { title: 'Own', type: 'chart', sources, range });
  await visitDashboard(page, project_id);
  const all = widgetOf(page, 'All');
  await expect(all).toContainText('Nothing was stored in this span.');
  await expect(widgetOf(page, 'Own').locator('[data-view]')).toBeVisible();
  await page.getByRole('button', { name: 'Range: Last hour' }).click();
  await page.getByRole('button', { name: 'All time' }).click();
  await expect(all.getByTestId('widget-chart')).toHaveAttribute('data-points', '60');
  const spanOf = async (title: string) => {
    const view = await widgetOf(page, title).locator('[data-view]').getAttribute('data-view');
    const { x } = JSON.parse(view ?? '{}') as { x: [number, number] };
    return Math.round((x[1] - x[0]) / 60_000);
  };
  await expect.poll(() => spanOf('All')).toBe(59);
  expect(await spanOf('Own')).toBe(9);
  const plot = await all.locator('.u-over').boundingBox();
  if (!plot) throw new Error('The plot is not on the page.');
  await page.mouse.move(plot.x + plot.width * 0.25, plot.y + 30);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.5, plot.y + 30, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => spanOf('All')).toBeLessThan(20);
  expect(await spanOf('Own')).toBe(9);
  await page.reload();
  await expect.poll(() => spanOf('All')).toBeLessThan(20);
  await all.locator('.u-over').dblclick();
  await expect.poll(() => spanOf('All')).toBe(59);
});

test('only what is in sight asks for anything', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  await store(api, press, { bar: 4.25 });
  const sources = sourcesOf('bar', press);
  await makeWidget(api, project_id, {
    title: 'Far',
    type: 'value',
    sources,
    layout: { x: 0, y: 200, w: 3, h: 3 },
  });
  await makeWidget(api, project_id, {
    title: 'Near',
    type: 'value',
    sources,
    layout: { x: 0, y: 0, w: 3, h: 3 },
  });
  await visitDashboard(page, project_id);
  await expect(widgetOf(page, 'Near')).toContainText('4.25');
  await expect(widgetOf(page, 'Far').getByRole('listitem')).toHaveCount(0);
  await widgetOf(page, 'Far').scrollIntoViewIfNeeded();
  await expect(widgetOf(page, 'Far')).toContainText('4.25');
  await expect(widgetOf(page, 'Near').getByRole('listitem')).toHaveCount(0);
});

test('a dashboard fills a screen on the wall, and gives it back', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  await makeWidget(api, project_id, { title: 'Note', type: 'text', layout: { text: 'Gate B' } });
  await visitDashboard(page, project_id);
  const height = async () => (await widgetOf(page, 'Note').boundingBox())?.height ?? 0;
  const before = await height();
  await page.keyboard.press('f');
  await expect.poll(height).toBeGreaterThan(before * 2);
  const box = await page.getByTestId('dashboard').boundingBox();
  const view = page.viewportSize();
  expect(box?.width).toBeGreaterThan((view?.width ?? 0) - 40);
  // A window that fills the screen has no other size.
  for (const colorScheme of ['light', 'dark'] as const) await check(page, 'dashboard-full', colorScheme);
  await page.keyboard.press('Escape');
  await expect.poll(height).toBe(before);
  await visit(page, '#/');
});

test('on a full screen the tree behind it stands still, and catches up once it is seen again', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  await store(api, press, { bar: 1 });
  const settings = `/_local/v1/projects/${project_id}/devices/${press.device_id}/key-settings`;
  await expectDone(api('PATCH', settings, { body: { key: 'bar', unit: 'bar' } }));
  await makeWidget(api, project_id, { title: 'Value', type: 'value', sources: sourcesOf('bar', press) });
  await visitDashboard(page, project_id);
  const inTree = page.getByRole('tree', { includeHidden: true }).getByRole('treeitem', { name: /Press 4/ });
  const value = widgetOf(page, 'Value');
  await expect(inTree).toContainText('bar 1\u00A0bar');
  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Leave full screen (Esc)' }).first()).toBeAttached();
  // Each as the widget, which is asked for once a second as the tree is.
  for (const bar of [2, 3, 4]) {
    await store(api, press, { bar });
    await expect(value).toContainText(`${bar}\u00A0bar`);
  }
  await expect(inTree).toContainText('bar 1\u00A0bar');
  await page.keyboard.press('Escape');
  await expect(inTree).toContainText('bar 4\u00A0bar');
});
