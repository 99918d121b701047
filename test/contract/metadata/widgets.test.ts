import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DashboardFile } from '#shared/operations/metadata/widgets.ts';
import type { Widget } from '#shared/schema/schemas.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, without, type World } from '../world.ts';

/* Widgets of a dashboard (docs/dashboards.md): their shapes, edits that are undone, export and import. */

let service: RunningService;
let world: World;
let project: string;
let widgets: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  project = `/_local/v1/projects/${world.project_id}`;
  widgets = `${project}/widgets`;
});
afterAll(() => service.stop());

const PLACE = { x: 0, y: 0, w: 6, h: 4 };
const chart = () => ({
  title: 'Supply',
  type: 'chart',
  sources: [{ device_id: world.device_id, key: 'temperature' }],
  layout: PLACE,
  range: { last_s: 3600 },
});
const make = async (body: object, at = widgets) =>
  (await dataOf(service, 'POST', at, body)) as unknown as Widget;
const allOf = async (at = widgets) => (await dataOf(service, 'GET', at)) as unknown as readonly Widget[];
const newProject = async (name: string) =>
  (await dataOf(service, 'POST', '/_local/v1/projects', { name })).id;
const newDevice = async (of: string, name: string) =>
  (await dataOf(service, 'POST', `/v2/projects/${of}/devices`, { name, source: 'http' })).id;

describe('a widget of a type that the app shows', () => {
  test.each([
    ['POST', { layout: { ...PLACE, w: 13 } }, 'layout.w must be a whole number from 1 to 12'],
    ['POST', { range: { last_s: 0 } }, 'range.last_s must be whole seconds'],
    ['POST', { type: 'text', layout: { text: ['x'] } }, 'layout.text must be text'],
    ['PATCH', { layout: { x: 1 } }, 'layout.y must be a whole number'],
    ['PATCH', { range: { start: 'now' } }, 'range.start must be an ISO 8601 time'],
  ])('is refused with words by %s of %j, and nothing is changed', async (method, wrong, words) => {
    const made = await make(chart());
    const path = method === 'POST' ? widgets : `${widgets}/${made.id}`;
    const before = await allOf();
    const body = method === 'POST' ? { ...chart(), ...wrong } : wrong;
    const { status, envelope } = await service.request(method, path, { body });
    expect([status, envelope.message]).toEqual([400, expect.stringContaining(words)]);
    expect(await allOf()).toEqual(before);
  });

  test('keeps what else its layout has; a widget of another type keeps all of it', async () => {
    const layout = { ...PLACE, of: 'others' };
    expect((await make({ ...chart(), layout })).layout).toEqual(layout);
    const odd = await make({ ...chart(), type: 'line', layout: { x: 'left' }, range: { last_s: -1 } });
    expect(odd).toMatchObject({ layout: { x: 'left' }, range: { last_s: -1 } });
    // It can be called otherwise, and become one that is known with what that asks for.
    await dataOf(service, 'PATCH', `${widgets}/${odd.id}`, { title: 'Other' });
    const { envelope } = await service.request('PATCH', `${widgets}/${odd.id}`, { body: { type: 'chart' } });
    expect(envelope.message).toContain('layout.x must be');
    await dataOf(service, 'PATCH', `${widgets}/${odd.id}`, { type: 'chart', layout: {}, range: {} });
  });
});

test('a window hears of widgets that come, change and go', async () => {
  const window = openWindow(service.service);
  // Of several services one hears of the others' changes a moment later: this project has none but these.
  const project_id = await newProject('Heard');
  const own = `/_local/v1/projects/${project_id}/widgets`;
  const sources = [{ device_id: await newDevice(project_id, 'Boiler'), key: 'temperature' }];
  const heard: unknown[] = [];
  window.bridge.subscribe('widgets.changed', (event) => heard.push(event), { project_id });
  const { id } = await make({ ...chart(), sources }, own);
  await expect.poll(() => heard).toMatchObject([{ project_id }]);
  await dataOf(service, 'PATCH', `${own}/${id}`, { title: 'Return' });
  await expect.poll(() => heard.length).toBe(2);
  await dataOf(service, 'DELETE', `${own}/${id}`);
  await expect.poll(() => heard.length).toBe(3);
  window.close();
});

describe('edits of widgets', () => {
  const replace = (edits: readonly object[], key?: string) =>
    service.request('POST', `${project}/edits`, {
      body: { widgets: edits },
      ...(key !== undefined && { key }),
    });
  const whole = ({ title, type, sources, layout, range }: Widget) => ({
    title,
    type,
    sources,
    layout,
    range,
  });

  test('move several at once, take that back, make one and remove one', async () => {
    const [a, b] = [await make(chart()), await make({ ...chart(), title: 'Return' })];
    const moved = [a, b].map(({ id, layout }, at) => {
      return { widget_id: id, was: { layout }, be: { layout: { ...layout, y: 10 + at } } };
    });
    expect((await replace(moved)).envelope.data).toEqual({ changed: 2 });
    expect((await allOf()).filter(({ id }) => id === b.id)).toMatchObject([{ layout: { y: 11 } }]);
    expect((await replace(moved)).envelope.data).toEqual({ changed: 0 });
    const back = moved.map(({ widget_id, was, be }) => ({ widget_id, was: be, be: was }));
    expect((await replace(back)).envelope.data).toEqual({ changed: 2 });

    const gone = [{ widget_id: a.id, was: whole(a), be: null }];
    expect((await replace(gone)).envelope.data).toEqual({ changed: 1 });
    const there = [{ widget_id: a.id, was: null, be: whole(a) }];
    expect((await replace(there)).envelope.data).toEqual({ changed: 1 });
    expect((await allOf()).find(({ id }) => id === a.id)).toEqual(a);
  });

  test('that somebody came before are refused with what is so now, all of them', async () => {
    const [a, b] = [await make(chart()), await make(chart())];
    await dataOf(service, 'PATCH', `${widgets}/${b.id}`, { title: 'Return' });
    const titles = [a, b].map(({ id }) => ({
      widget_id: id,
      was: { title: 'Supply' },
      be: { title: 'Old' },
    }));
    const { status, envelope } = await replace(titles);
    expect([status, envelope.message]).toEqual([
      400,
      'Nothing was changed: since then the title of the widget "Return" was changed, to "Return".',
    ]);
    expect((await allOf()).find(({ id }) => id === a.id)?.title).toBe('Supply');
    const missing = await replace([{ widget_id: randomUUID(), was: { title: 'Gone' }, be: { title: 'x' } }]);
    expect(missing.envelope.message).toContain('the widget "Gone" was deleted');
    const again = await replace([{ widget_id: a.id, was: null, be: { ...whole(b), title: 'Other' } }]);
    expect(again.envelope.message).toContain('the widget "Supply" is there again');
  });

  test('ask for what a widget asks for, and for the right to delete', async () => {
    const made = await make(chart());
    const half = await replace([{ widget_id: randomUUID(), was: null, be: { title: 'x' } }]);
    expect(half.envelope.message).toContain('be must have title, type, sources, layout and range');
    const wrong = { layout: { ...PLACE, x: 12 } };
    const shape = await replace([{ widget_id: made.id, was: {}, be: wrong }]);
    expect(shape.envelope.message).toContain('layout.x must be');
    const elsewhere = { sources: [{ device_id: randomUUID(), key: 'a' }] };
    const source = await replace([{ widget_id: made.id, was: {}, be: elsewhere }]);
    expect(source.envelope.message).toContain('sources.0.device_id must be');
    const { api_key } = (await dataOf(service, 'POST', '/_local/v1/keys', {
      name: 'no deletes',
      permissions: without('delete'),
    })) as unknown as { api_key: string };
    const removal = await replace([{ widget_id: made.id, was: {}, be: null }], api_key);
    expect(removal.status).toBe(403);
    expect((await allOf()).find(({ id }) => id === made.id)).toEqual(made);
  });

  test('of another project are none of its business', async () => {
    const other = await newProject('Other edits');
    const there = await make({ ...chart(), sources: [] }, `/_local/v1/projects/${other}/widgets`);
    const { envelope } = await replace([{ widget_id: there.id, was: {}, be: { title: 'Mine' } }]);
    expect(envelope.message).toContain('was deleted');
  });
});

describe('a file of widgets', () => {
  const fileOf = async (id: string) =>
    (await dataOf(service, 'GET', `/_local/v1/projects/${id}/dashboard`)) as unknown as DashboardFile;
  const importInto = (id: string, dashboard: unknown, dry_run = false) =>
    service.request('POST', `/_local/v1/projects/${id}/dashboard`, { body: { dashboard, dry_run } });

  test('goes into another project, whose devices are found by name, and is the same file there', async () => {
    const [hall, roof] = [await newProject('Hall'), await newProject('Roof')];
    const pump = await newDevice(hall, 'Pump');
    const fan = await newDevice(hall, 'Fan');
    const sources = [pump, fan].map((device_id) => ({ device_id, key: 'bar' }));
    await make({ ...chart(), sources }, `/_local/v1/projects/${hall}/widgets`);
    const line = { ...chart(), title: 'Odd', type: 'line', sources: [], layout: { z: 1 }, range: { z: [] } };
    await make(line, `/_local/v1/projects/${hall}/widgets`);
    const file = await fileOf(hall);
    expect(file).toEqual({
      fieldbench: 'dashboard',
      version: 1,
      widgets: [
        {
          ...chart(),
          sources: [
            { device: { id: pump, name: 'Pump' }, key: 'bar' },
            { device: { id: fan, name: 'Fan' }, key: 'bar' },
          ],
        },
        line,
      ],
    });

    const twin = await newDevice(roof, 'Pump');
    const at = `/_local/v1/projects/${roof}/widgets`;
    const found = [
      { id: pump, name: 'Pump', device_id: twin, by: 'name' },
      { id: fan, name: 'Fan', device_id: null, by: null },
    ];
    expect((await importInto(roof, file, true)).envelope.data).toEqual({ widgets: [], devices: found });
    expect(await allOf(at)).toEqual([]);
    const done = (await importInto(roof, file)).envelope.data as unknown as { widgets: Widget[] };
    expect(done).toMatchObject({ devices: found });
    expect(await allOf(at)).toEqual(done.widgets);
    expect(done.widgets).toMatchObject([
      { title: 'Supply', sources: [{ device_id: twin, key: 'bar' }], layout: PLACE, range: { last_s: 3600 } },
      { title: 'Odd', type: 'line', layout: { z: 1 }, range: { z: [] } },
    ]);
    // Once more: below what is there now, and its own devices by their ids.
    const again = (await importInto(roof, await fileOf(roof))).envelope.data as unknown as {
      widgets: Widget[];
    };
    expect(again).toMatchObject({
      devices: [{ id: twin, device_id: twin, by: 'id' }],
      widgets: [{ layout: { ...PLACE, y: 4 } }, { layout: { z: 1 } }],
    });
  });

  test('finds no device by a name that several have', async () => {
    const [from, to] = [await newProject('From'), await newProject('To')];
    const pump = await newDevice(from, 'Pump');
    await make(
      { ...chart(), sources: [{ device_id: pump, key: 'bar' }] },
      `/_local/v1/projects/${from}/widgets`,
    );
    await newDevice(to, 'Pump');
    await newDevice(to, 'Pump');
    const { envelope } = await importInto(to, await fileOf(from));
    expect(envelope.data).toMatchObject({
      devices: [{ id: pump, device_id: null, by: null }],
      widgets: [{ title: 'Supply', sources: [] }],
    });
  });

  test('is added whole or not at all, and what is wrong in it is named', async () => {
    const id = await newProject('Whole');
    const at = `/_local/v1/projects/${id}/widgets`;
    const note = { title: 'Note', type: 'text', sources: [], layout: { text: 'x' }, range: {} };
    const wrong = { ...note, range: { last_s: 1.5 } };
    const file = (...all: object[]) => ({ fieldbench: 'dashboard', version: 1, widgets: all });
    for (const [given, words] of [
      [file(note, wrong), 'dashboard.widgets.1.range.last_s must be whole seconds'],
      [file(note, { ...note, title: '' }), 'dashboard.widgets.1.title must be'],
      [{ ...file(note), version: 2 }, 'dashboard.version must be 1'],
      [{ widgets: [] }, 'dashboard.fieldbench is required'],
      ['{}', 'dashboard must be a file of widgets'],
    ] as const)
      for (const dry_run of [true, false]) {
        const { status, envelope } = await importInto(id, given, dry_run);
        expect([status, envelope.message]).toEqual([400, expect.stringContaining(words)]);
      }
    expect(await allOf(at)).toEqual([]);
    expect((await importInto(id, file())).envelope.data).toEqual({ widgets: [], devices: [] });
  });
});

test('a device that is deleted leaves its widgets, and an undo brings all back as it was', async () => {
  const id = await newProject('Undone');
  const at = `/_local/v1/projects/${id}/widgets`;
  const [pump, fan] = [await newDevice(id, 'Pump'), await newDevice(id, 'Fan')];
  const of = (...devices: string[]) => devices.map((device_id) => ({ device_id, key: 'bar' }));
  await make({ ...chart(), sources: of(pump) }, at);
  await make({ ...chart(), title: 'Both', sources: of(fan, pump) }, at);
  const before = await allOf(at);
  const { undo } = (await dataOf(
    service,
    'DELETE',
    `/_local/v1/projects/${id}/devices/${pump}`,
  )) as unknown as { undo: { id: string } };
  expect(await allOf(at)).toMatchObject([{ title: 'Both', sources: of(fan) }]);
  await dataOf(service, 'POST', `/_local/v1/undo/${undo.id}`);
  expect((await allOf(at)).toSorted((a, b) => (a.title < b.title ? 1 : -1))).toEqual(before);
});
