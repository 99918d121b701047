import { expect, test } from 'vitest';
import { curvePath } from '../../../../renderer/import/curve-path.ts';

const points = (path: string) =>
  [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

test('a column goes from its first to its last time and from its smallest to its largest number', () => {
  const path = curvePath([0, 10, 20], { least: [1, 2, 3], most: [1, 2, 3] }, 100, 50);
  expect(points(path)).toEqual([
    [0, 49],
    [50, 25],
    [100, 1],
    // And back: the smallest numbers are the same.
    [100, 1],
    [50, 25],
    [0, 49],
  ]);
});

test('between the smallest and the largest numbers lies an area: which came first is not known, and no wave is made up', () => {
  const path = curvePath([0, 1, 2, 3], { least: [0, 2, 1, 3], most: [8, 10, 9, 8] }, 90, 12);
  expect(path).toBe('M0 3L30 1L60 2L90 3L90 8L60 10L30 9L0 11Z');
});

test('rows that step back in time go back in the picture', () => {
  const xs = points(curvePath([0, 20, 10, 30], { least: [1, 2, 3, 4], most: [1, 2, 3, 4] }, 90, 50)).map(
    ([x]) => x,
  );
  expect(xs).toEqual([0, 60, 30, 90, 90, 30, 60, 0]);
});

test('a silence breaks the line, and a stretch without a number does not', () => {
  const times = [0, 1, 2, 3, 4, 50, 51];
  const all = [1, 1, null, 2, 2, 3, 3];
  expect(curvePath(times, { least: all, most: all }, 102, 50).match(/M/g)).toHaveLength(2);
});

test('whatever a file holds, a path has no number that is none', () => {
  for (const least of [[], [null], [1e308, -1e308], [5]])
    expect(curvePath([0, 0].slice(0, least.length), { least, most: least }, 100, 50)).not.toMatch(
      /NaN|Infinity/,
    );
  expect(curvePath([], { least: [], most: [] }, 100, 50)).toBe('');
});
