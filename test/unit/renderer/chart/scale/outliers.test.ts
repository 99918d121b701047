import { array, assert, integer, property, tuple } from 'fast-check';
import { expect, test, vi } from 'vitest';
import { mayBePressed, robustBounds } from '../../../../../renderer/chart/scale/outliers.ts';
import { axisRange } from '../../../../../renderer/chart/scale/y-mode.ts';
import { someRuns } from '../../../../helpers/some-runs.ts';

const boundsOf = (numbers: Float64Array) => ({ min: Math.min(...numbers), max: Math.max(...numbers) });
const within = (most: number) => integer({ min: -most, max: most });

test('an axis reaches over the same whether or not its numbers were looked through before they are sorted', () => {
  const many = array(within(100), { minLength: 200, maxLength: 400 });
  const few = array(within(5_000), { maxLength: 6 });
  let pressed = 0;
  assert(
    property(tuple(many, few), ([most, others]) => {
      const numbers = Float64Array.from([...most, ...others]);
      const seen = { bounds: boundsOf(numbers), robust: () => robustBounds(numbers) };
      const looked = { ...seen, mayBePressed: () => mayBePressed(numbers, seen.bounds) };
      const found = axisRange('auto', seen);
      expect(axisRange('auto', looked)).toEqual(found);
      if (found?.isCut) pressed++;
    }),
    { numRuns: someRuns(2_000) },
  );
  expect(pressed).toBeGreaterThan(0);
});

test('numbers that nothing presses flat are not sorted, and those beside an outlier are', () => {
  const wave = Float64Array.from({ length: 3_600 }, (_, row) => Math.sin(row / 60));
  const sort = vi.spyOn(Float64Array.prototype, 'toSorted');
  const rangeOf = (numbers: Float64Array) => {
    const bounds = boundsOf(numbers);
    return axisRange('auto', {
      bounds,
      robust: () => robustBounds(numbers),
      mayBePressed: () => mayBePressed(numbers, bounds),
    });
  };
  expect(rangeOf(wave)?.isCut).toBe(false);
  expect(sort).not.toHaveBeenCalled();
  expect(rangeOf(Float64Array.of(...wave, 999))?.isCut).toBe(true);
  expect(sort).toHaveBeenCalled();
});
