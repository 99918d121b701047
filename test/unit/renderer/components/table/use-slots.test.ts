import { array, assert, boolean, integer, property, tuple, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { createSlots } from '../../../../../renderer/components/table/use-slots.ts';

const inOrder = (slots: ReadonlyMap<string, number>) => [...slots.values()];

test('a row keeps its place, and one that comes takes that of one that went', () => {
  const slotsOf = createSlots();
  expect(inOrder(slotsOf(['a', 'b', 'c'], true))).toEqual([0, 1, 2]);
  expect(inOrder(slotsOf(['x', 'b', 'y'], true))).toEqual([0, 1, 2]);
  expect(inOrder(slotsOf(['b', 'y', 'z', 'u'], true))).toEqual([1, 2, 0, 3]);
});

test('where it may not, it has a place that none had, and that of the one that went is not taken later', () => {
  const slotsOf = createSlots();
  slotsOf(['a', 'b'], true);
  expect(inOrder(slotsOf(['b', 'c'], false))).toEqual([1, 2]);
  expect(inOrder(slotsOf(['c', 'd'], true))).toEqual([2, 1]);
});

test('no two rows have one place, however rows come and go', () => {
  const steps = array(tuple(uniqueArray(integer({ min: 0, max: 12 }).map(String)), boolean()));
  assert(
    property(steps, (rows) => {
      const slotsOf = createSlots();
      let before: ReadonlyMap<string, number> = new Map();
      for (const [keys, mayTake] of rows) {
        const slots = slotsOf(keys, mayTake);
        expect([...slots.keys()]).toEqual(keys);
        expect(new Set(slots.values()).size).toBe(keys.length);
        for (const [key, slot] of before) if (slots.has(key)) expect(slots.get(key)).toBe(slot);
        before = slots;
      }
    }),
  );
});
