import { useState, type RefObject } from 'react';

/**
 * Makes what says in which place of the document each row in sight stands: a row keeps its own, and one that comes takes that of one
 * that went, whose elements are then changed in place of made. Of ten thousand rows that are searched, a key that is pressed
 * changes nearly all in sight.
 */
export function createSlots() {
  let taken: ReadonlyMap<string, number> = new Map();
  let made = 0;
  /** `mayTake`: whether the places of rows that went may be taken, or go with them. */
  return (inSight: readonly string[], mayTake: boolean): ReadonlyMap<string, number> => {
    const there = new Set(inSight);
    const left = mayTake ? [...taken].flatMap(([key, slot]) => (there.has(key) ? [] : [slot])) : [];
    const free = left.values();
    return (taken = new Map(
      inSight.map((key) => [key, taken.get(key) ?? free.next().value ?? made++] as const),
    ));
  };
}

/** The places of the rows in sight in the document of a table, by their keys; null where rows are not reused. */
export function useSlots(
  frame: RefObject<HTMLElement | null>,
  inSight: readonly string[],
  isOn: boolean,
): ReadonlyMap<string, number> | null {
  const [slotsOf] = useState(createSlots);
  if (!isOn) return null;
  // The focus stays with its row: where that goes it is nowhere, and not on another one.
  const hasFocus = frame.current?.contains(document.activeElement) ?? false;
  return slotsOf(inSight, !hasFocus);
}
