import { expect, test } from 'vitest';
import { createShape, SHAPES } from '#shared/domain/shapes.ts';
import { shapedKeys } from '#shared/operations/service/simulator-fields.ts';
import {
  columnsOf,
  firstFields,
  previewOf,
  readShape,
} from '../../../../../../renderer/views/device/simulate/shape-draft.ts';
import { firstDraft, readDraft } from '../../../../../../renderer/views/device/simulate/simulation-draft.ts';

const NOW = Date.UTC(2026, 0, 5, 8) * 1000;
const asked = (change: Partial<typeof firstDraft>) => {
  const read = readDraft({ ...firstDraft, ...change }, NOW);
  return 'asked' in read ? read.asked : read.problems;
};

test('every shape as it is typed at first is one that the service takes', () => {
  for (const shape of SHAPES) {
    const read = readShape({ shape, fields: firstFields(shape) });
    if (!('shape' in read)) throw new Error(`${shape}: ${JSON.stringify(read.problems)}`);
    expect(shapedKeys.parse({ n: read.shape })).toEqual({ n: read.shape });
    expect(previewOf('n', read.shape, { seed: 1, every_ms: 5000 }).length).toBeGreaterThanOrEqual(60);
  }
});

test('what is shown beforehand are the values that the service makes, of the same seed, key and interval', () => {
  const read = readShape({ shape: 'walk', fields: firstFields('walk') });
  if (!('shape' in read)) throw new Error('no shape');
  const next = createShape(read.shape, { seed: 7, key: 'level', every_ms: 1000 });
  const shown = previewOf('level', read.shape, { seed: 7, every_ms: 1000 });
  expect(shown).toEqual(Array.from(shown, () => next()));
  expect(previewOf('level', read.shape, { seed: 8, every_ms: 1000 })).not.toEqual(shown);
});

test('a draft says what is asked for, in the units of the operation', () => {
  expect(asked({ trouble: { gaps: '0.7', late: '' }, every: '1.5 s', history: '1 h' })).toEqual({
    through: 'store',
    seed: 1,
    trouble: { gaps: 0.007 },
    every_ms: 1500,
    start: '2026-01-05T07:00:00.000000Z',
    keys: { temperature: { shape: 'sine', mean: 21.5, amplitude: 2, period_s: 600, noise: 0.2 } },
  });
  expect(asked({ kind: 'replay', from: 'id', speed: '', times: 'kept' })).toMatchObject({
    replay: { device_id: 'id' },
    times: 'kept',
    speed: 'max',
  });
  expect(asked({ kind: 'replay', from: 'id', speed: '2,5' })).toMatchObject({ speed: 2.5 });
  const states = {
    id: 0,
    key: 'on',
    shape: 'states',
    fields: { states: 'true, 2, idle', stay_s: '1 min' },
  } as const;
  expect(asked({ keys: [states] })).toMatchObject({
    keys: { on: { shape: 'states', states: [true, 2, 'idle'], stay_s: 60 } },
  });
});

test('each field that is wrong is named, and nothing is asked for', () => {
  const [first] = firstDraft.keys;
  if (!first) throw new Error('no key');
  expect(asked({ every: 'soon', history: 'ago', seed: '1.5', trouble: { spikes: '101' } })).toEqual({
    every: expect.any(String),
    history: expect.any(String),
    seed: expect.any(String),
    spikes: 'From 0 to 100.',
  });
  const walk = {
    id: 1,
    key: 'temperature',
    shape: 'walk',
    fields: { start: '', step: '0', min: '9', max: '1' },
  } as const;
  expect(Object.keys(asked({ keys: [first, walk] }))).toEqual([
    'key 1',
    'key 1 start',
    'key 1 step',
    'key 1 min',
  ]);
  expect(asked({ kind: 'replay', speed: '-1' })).toEqual({ from: 'A device.', speed: expect.any(String) });
});

test('columns of a preview lose neither the least nor the most value', () => {
  const values = Array.from({ length: 1999 }, (_, n) => (n === 777 ? 90 : n === 1200 ? -90 : n % 7));
  const { min, max } = columnsOf(values, 220);
  expect([min.length, Math.min(...min), Math.max(...max)]).toEqual([220, -90, 90]);
  expect(columnsOf([3, 1], 220)).toEqual({ min: [3, 1], max: [3, 1] });
});
