import { expect, test } from 'vitest';
import { mappedColumns, valueMap } from '../../../../../renderer/chart/corrections/value-map.ts';

test('one point is an offset, two are a line, more are straight between each other and go on at the ends', () => {
  expect(valueMap([[20, 20.4]])(25)).toBeCloseTo(25.4, 9);
  const line = valueMap([
    [0, 1],
    [100, 103],
  ]);
  expect([line(0), line(50), line(200)]).toEqual([1, 52, 205]);
  const bent = valueMap([
    [0, 0],
    [10, 20],
    [20, 25],
  ]);
  expect([-5, 5, 10, 15, 30].map(bent)).toEqual([-10, 10, 20, 22.5, 30]);
  expect(valueMap({ gain: 2, offset: 1 })(3)).toBe(7);
});

test('a preview maps the columns where it holds; a falling one swaps least and most', () => {
  const columns = { min: [1, 1, null], max: [2, 2, null] };
  const falling = valueMap({ gain: -1, offset: 0 });
  expect(mappedColumns(columns, falling, (column) => column > 0)).toEqual({
    min: [1, -2, null],
    max: [2, -1, null],
  });
});
