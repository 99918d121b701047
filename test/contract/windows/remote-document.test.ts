import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '#shared/operations/index.ts';
import { addService, lookThrough, profileFor } from '../../helpers/service/distant.ts';
import {
  openWindow,
  runService,
  type RunningService,
  type Window,
} from '../../helpers/service/running-service.ts';
import { createWorld, RECORDS, type World } from '../world.ts';

/* docs/remote.md: a window of one service that looks at another which answers /v2 alone. */

let here: RunningService;
let window: Window;
beforeAll(async () => {
  here = await runService();
  window = openWindow(here.service);
});
afterAll(() => here.stop());

describe('a service that answers /v2 alone', () => {
  let plain: RunningService;
  let at: World;
  let bridge: ReturnType<typeof lookThrough>['bridge'];
  let offered: readonly OperationId[];
  beforeAll(async () => {
    const whole = await runService({ vault: 'file' });
    at = await createWorld(whole);
    await whole.service.close();
    plain = await runService({ strict: true, vault: 'file', directory: whole.directory });
    const view = lookThrough(window, await addService(window, await profileFor(plain, { name: 'Plain' })));
    const told = await view.until('connected');
    expect(told.rights).toEqual({ kind: 'document', permissions: null, project_ids: null });
    ({ bridge } = view);
    ({ offered } = told);
  });
  afterAll(() => plain.stop());

  test('offers its ten operations, and what they can answer for others', () => {
    expect(offered.toSorted()).toEqual(
      [
        'projects.list',
        'projects.get',
        'projects.delete',
        'devices.create',
        'devices.list',
        'devices.get',
        'devices.delete',
        'data.list',
        'data.keys',
        'data.purge',
        'projects.find',
        'devices.find',
        'devices.summary',
        'projects.keys',
        'records.count',
        'chart.columns',
        'chart.series',
      ].toSorted(),
    );
  });

  test('says of what it lacks that it lacks it', async () => {
    const { project_id, device_id } = at;
    expect(await bridge.call('statistics.get', { project_id, device_id })).toMatchObject({
      status: 403,
      message: '"Plain" answers /v2 alone, which has no "get statistics": that needs a Fieldbench service.',
    });
    expect(await bridge.call('notes.list', { project_id, device_id })).toMatchObject({
      status: 200,
      data: [],
    });
  });

  test('has projects and devices that are found by their words', async () => {
    const projects = await bridge.call('projects.find', {});
    expect(projects.data).toMatchObject([
      { name: 'Roof', devices: 0 },
      { name: 'Boiler room', devices: 1 },
    ]);
    const { project_id } = at;
    const found = await bridge.call('devices.find', { project_id, search: 'esp' });
    expect(found.data).toMatchObject([
      {
        name: 'ESP32',
        records: RECORDS.length,
        newest: RECORDS[2]?.timestamp,
        values: [
          { key: 'state', value: 'on' },
          { key: 'temperature', value: 22.25 },
        ],
      },
    ]);
    expect((await bridge.call('devices.find', { project_id, search: 'nothing' })).data).toEqual([]);
    expect((await bridge.call('projects.keys', { project_id })).data).toEqual({
      keys: ['state', 'temperature'],
      complete: true,
    });
  });

  test('has summaries and counts by its pages', async () => {
    const { project_id, device_id } = at;
    expect((await bridge.call('devices.summary', { project_id, device_id })).data).toMatchObject({
      records: 3,
      first: RECORDS[0]?.timestamp,
      last: RECORDS[2]?.timestamp,
      keys: [
        { key: 'state', count: 2, numeric: 0 },
        { key: 'temperature', count: 3, numeric: 3 },
      ],
    });
    const span = { start: RECORDS[1]?.timestamp, end: RECORDS[2]?.timestamp };
    expect((await bridge.call('records.count', { project_id, device_id, ...span })).data).toEqual({
      records: 2,
      first: span.start,
      last: span.end,
    });
  });

  test('has charts by its pages, the same that it would draw itself', async () => {
    const { project_id, device_id } = at;
    const asked = { project_id, device_id, keys: ['temperature', 'state'] };
    const columns: unknown[] = [];
    const ended = await bridge.stream('chart.columns', asked, (page) => void columns.push(page));
    expect(ended).toMatchObject({ status: 200, data: { records: 3 } });
    expect(columns).toEqual([
      {
        offset: 0,
        total: 3,
        timestamps: Float64Array.from(RECORDS.toReversed(), ({ timestamp }) => microsOf(timestamp)),
        columns: [Float64Array.of(22.25, 21, 20.5), Float64Array.of(NaN, NaN, NaN)],
      },
    ]);
    const pictures: unknown[] = [];
    await bridge.stream('chart.series', { ...asked, width: 2 }, (picture) => void pictures.push(picture));
    const whole: unknown[] = [];
    const twin = openWindow(plain.service);
    await twin.bridge.stream('chart.series', { ...asked, width: 2 }, (picture) => void whole.push(picture));
    expect(pictures).toEqual(whole);
  });

  test('deletes for good what is deleted there', async () => {
    const { project_id, device_id } = at;
    expect((await bridge.call('data.purge', { project_id, device_id })).status).toBe(200);
    expect(
      (await bridge.call('data.list', { project_id, device_id, page: 1, limit: 5, range: 'all' })).data,
    ).toEqual([]);
  });
});

const microsOf = (timestamp: string) =>
  Date.parse(timestamp.replace(/\d{3}Z$/, 'Z')) * 1000 + Number(timestamp.slice(-4, -1));
