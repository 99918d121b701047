import { describe, expect, test } from 'vitest';
import {
  covers,
  firstNotBefore,
  nearest,
  pan,
  selected,
  widened,
  windowOf,
  zoom,
} from '../../../../../renderer/chart/time/window.ts';

const whole = { from: 0, to: 1e9 };

test('the window of a single record has room on both sides', () => {
  expect(windowOf(Float64Array.of(5e6))).toEqual({ from: 4e6, to: 6e6 });
  expect(windowOf(Float64Array.of())).toBeNull();
});

describe('zoom', () => {
  test('keeps the instant under the cursor in its place', () => {
    const closer = zoom({ from: 0, to: 1e9 }, 0.5, 2e8, whole);
    expect(closer).toEqual({ from: 1e8, to: 6e8 });
  });
  test('never leaves the data, and ends at all of it', () => {
    expect(zoom({ from: 0, to: 1e8 }, 2, 1e8, whole)).toEqual({ from: 0, to: 2e8 });
    expect(zoom({ from: 0, to: 9e8 }, 2, 0, whole)).toEqual(whole);
  });
  test('stops where the axis has no finer label', () => {
    const closest = zoom({ from: 0, to: 6000 }, 0.5, 3000, whole);
    expect(closest.to - closest.from).toBe(5000);
  });
});

test('panning keeps the width and stops at the ends', () => {
  expect(pan({ from: 2e8, to: 4e8 }, -0.2, whole)).toEqual({ from: 1.6e8, to: 3.6e8 });
  expect(pan({ from: 9e8, to: 1e9 }, 0.2, whole)).toEqual({ from: 9e8, to: 1e9 });
});

test('a drag over almost nothing still gives a window with labels', () => {
  const { from, to } = selected(5e8, 5e8 + 10, whole);
  expect(to - from).toBe(5000);
});

test('a window has whole microseconds, whatever the pixels it was dragged over', () => {
  expect(selected(1e6 + 0.4, 3e6 + 0.4, whole)).toEqual({ from: 1e6, to: 3e6 });
  const { from, to } = zoom({ from: 0, to: 1e9 }, 1 / 3, 1e8, whole);
  expect([from, to].map(Number.isInteger)).toEqual([true, true]);
});

test('a window widens around its middle, as far as there is data, and never shrinks', () => {
  expect(widened({ from: 4e8, to: 5e8 }, 3e8, whole)).toEqual({ from: 3e8, to: 6e8 });
  expect(widened({ from: 0, to: 1e8 }, 3e8, whole)).toEqual({ from: 0, to: 2e8 });
  expect(widened({ from: 4e8, to: 5e8 }, 1e7, whole)).toEqual({ from: 4e8, to: 5e8 });
});

test('a window covers itself and what lies inside it', () => {
  expect(covers(whole, whole)).toBe(true);
  expect(covers(whole, { from: -1, to: 5 })).toBe(false);
  expect(covers(whole, { from: 5, to: 1e9 + 1 })).toBe(false);
});

test('rows are found by time', () => {
  const times = Float64Array.of(10, 20, 20, 30);
  expect([5, 10, 15, 20, 30, 31].map((time) => firstNotBefore(times, time))).toEqual([0, 0, 1, 1, 3, 4]);
  expect([0, 14, 16, 29, 99].map((time) => nearest(times, time))).toEqual([0, 0, 1, 3, 3]);
  expect(nearest(Float64Array.of(), 1)).toBe(-1);
});
