import { expect, test } from 'vitest';
import type { ChartLine } from '../../../../../renderer/chart/draw/chart-line.ts';
import { panesOf } from '../../../../../renderer/chart/scale/panes.ts';

const line = (id: string, key: string, axis: ChartLine['axis'] = 'left'): ChartLine => ({
  id,
  device_id: id.slice(0, 1),
  key,
  label: key,
  unit: '',
  look: 0,
  axis,
});
const drawn = (min: number, max: number) => ({
  times: [0, 1],
  values: [min, max],
  starts: [0],
  dots: [],
  min,
  max,
});
const asked = {
  lines: [line('a1', 't'), line('a2', 'h', 'right'), line('b1', 't')],
  drawing: [drawn(0, 1), drawn(50, 60), drawn(1, 2)],
  hidden: new Set<string>(),
  isStacked: false,
  mode: 'fit',
  fixed: {},
  numbersOf: () => new Float64Array(),
} as const;

test('a chart is one plot of the lines that are shown', () => {
  const [pane, ...others] = panesOf({ ...asked, hidden: new Set(['a2']) });
  expect(others).toEqual([]);
  expect(pane).toMatchObject({ id: '', places: [0, 2], isCut: false });
  expect(pane?.ranges.left?.[0]).toBeLessThanOrEqual(0);
  expect(pane?.ranges.left?.[1]).toBeGreaterThanOrEqual(2);
  expect(pane?.ranges.right).toBeUndefined();
});

test('stacked, each key has a plot, which lines of several devices share, and one axis', () => {
  const panes = panesOf({ ...asked, isStacked: true, fixed: { h: [0, 100], left: [7, 8] } });
  expect(panes.map(({ id, places }) => [id, places])).toEqual([
    ['t', [0, 2]],
    ['h', [1]],
  ]);
  expect(panes[1]?.lines[0]?.axis).toBe('left');
  expect(panes[1]?.ranges).toEqual({ left: [0, 100] });
  expect(panes[0]?.ranges.left?.[1]).toBeLessThan(7);
});

test('ends that were given by hand count for the axis they name', () => {
  const [pane] = panesOf({ ...asked, fixed: { right: [-1, 1] } });
  expect(pane?.ranges.right).toEqual([-1, 1]);
  expect(pane?.ranges.left?.[1]).toBeGreaterThanOrEqual(2);
});
