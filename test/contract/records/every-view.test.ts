import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { httpOperationIds, operationIds, operationOf, type HttpId } from '#shared/operations/index.ts';
import { SERVICES } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, inputOf, send, type World } from '../world.ts';

/* docs/local-api.md, "Views": operations that take a view, all of the table's, answer raw until they are asked for corrected. */

const takesView = (id: (typeof operationIds)[number]) => {
  const { input } = operationOf(id);
  return input instanceof z.ZodObject && 'view' in input.shape;
};
const OF_PROGRAMS = httpOperationIds.filter(takesView);
const OF_WINDOWS = {
  'chart.columns': { keys: ['temperature'] },
  'chart.series': { keys: ['temperature'], width: 2 },
  'chart.rates': { rates: [{ key: 'temperature', per: 's', falls: 'fall' }], width: 2 },
} as const;
type WindowsId = keyof typeof OF_WINDOWS;
const WINDOWS_IDS = Object.keys(OF_WINDOWS) as WindowsId[];

/** An hour ahead, and read twice too low: times, numbers and differences are others. */
const CORRECTIONS = [
  {
    kind: 'time',
    from: '2026-03-02T20:30:00Z',
    to: '2026-03-02T20:33:00Z',
    shift_us: -3_600_000_000,
  },
  { kind: 'calibration', key: 'temperature', points: { gain: 2, offset: 0 } },
] as const;

let service: RunningService;
let world: World;
const before = new Map<string, unknown>();

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  const device = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
  // Only what is outside is an alert, and of excursions each has a worst value.
  await dataOf(service, 'PATCH', `${device}/key-settings`, { key: 'temperature', high: 22 });
  await dataOf(service, 'DELETE', `${device}/corrections/${world.correction_id}`);
  for (const id of OF_PROGRAMS) before.set(id, await asked(id));
  for (const id of WINDOWS_IDS) before.set(id, await drawn(id));
  for (const body of CORRECTIONS) await dataOf(service, 'POST', `${device}/corrections`, body);
});
afterAll(() => service.stop());

async function asked(id: HttpId, view = {}): Promise<string> {
  const whole = { ...inputOf(id, world), ...view };
  const input =
    id === 'devices.find'
      ? { ...whole, search: 'ESP32', keys: 'temperature' }
      : id === 'series.trends'
        ? { ...whole, ids: world.device_id }
        : whole;
  const { status, text } = await send(service, id, input);
  expect(status, text).toBe(200);
  const lasting = text.replace(/"as_of":"[^"]+"/, '');
  // Of several services each names the bytes of an export by itself (docs/lab.md, "What differs from a data folder").
  return id === 'records.estimate' && SERVICES > 1 ? lasting.replace(/"state":"[^"]+"/, '') : lasting;
}

async function drawn(id: WindowsId, view = {}): Promise<unknown> {
  const pieces: unknown[] = [];
  const input = { project_id: world.project_id, device_id: world.device_id, ...OF_WINDOWS[id], ...view };
  const { success, message } = await service.bridge.stream(
    id,
    input,
    (piece: unknown) => void pieces.push(piece),
  );
  expect(success, message).toBe(true);
  return pieces;
}

test('no operation that takes a view is left out here', () => {
  expect([...OF_PROGRAMS, ...WINDOWS_IDS].toSorted()).toEqual(operationIds.filter(takesView).toSorted());
  expect(OF_PROGRAMS.length).toBeGreaterThan(15);
});

describe.each([...OF_PROGRAMS, ...WINDOWS_IDS])('%s', (id) => {
  const ask = (view?: { readonly view: 'raw' | 'corrected' }) =>
    id in OF_WINDOWS ? drawn(id as WindowsId, view) : asked(id as HttpId, view);

  test('says raw unless it is asked for corrected, which differs', async () => {
    expect(await ask()).toEqual(before.get(id));
    expect(await ask({ view: 'raw' })).toEqual(before.get(id));
    expect(await ask({ view: 'corrected' })).not.toEqual(before.get(id));
  });
});
