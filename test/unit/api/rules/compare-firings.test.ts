import { array, assert, boolean, property } from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareFirings,
  type Bounds,
  type Difference,
  type KnownFiring,
} from '#core/api/rules/compare-firings.ts';
import { MOST_FIRINGS, type Firing } from '#core/rules/firing.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

/* The model of alarms: rows that are changed as the differences say. */

const ALL: Bounds = { since: -Infinity, keep: -Infinity };

function apply(rows: readonly KnownFiring[], differences: readonly Difference[]): KnownFiring[] {
  const after = [...rows];
  let made = rows.length;
  for (const difference of differences) {
    const at = after.findIndex(({ id }) => id === difference.id);
    const row = after[at];
    if (difference.is === 'withdrawn') after[at] = { ...row!, withdrawn: 1 };
    else if (row) after[at] = { ...row, ...difference.firing, withdrawn: null };
    else after.push({ id: `a${made++}`, ...difference.firing, withdrawn: null });
  }
  return after;
}

const standing = (rows: readonly KnownFiring[]): Firing[] =>
  rows
    .filter(({ withdrawn }) => withdrawn === null)
    .map(({ start, fired, end }) => ({ start, fired, end }))
    .toSorted((a, b) => a.start - b.start);

/** Spans of a line of moments, of which each is true or not: the last one may hold still. */
function firingsOf(moments: readonly boolean[]): Firing[] {
  const found: Firing[] = [];
  let start: number | null = null;
  for (const [at, isTrue] of [...moments, false].entries()) {
    if (isTrue) start ??= at;
    else if (start !== null) {
      found.push({ start, fired: start, end: at === moments.length ? null : at });
      start = null;
    }
  }
  return found;
}

const MOMENTS = 5;
const WORLDS = Array.from({ length: 2 ** MOMENTS }, (_, bits) =>
  firingsOf(Array.from({ length: MOMENTS }, (__, i) => ((bits >> i) & 1) === 1)),
);

test('whatever was judged before, alarms say what the firings do, each once, and a second look changes nothing', () => {
  for (const before of WORLDS)
    for (const between of WORLDS) {
      const rows = apply(
        apply([], compareFirings(before, [], ALL)),
        compareFirings(between, apply([], compareFirings(before, [], ALL)), ALL),
      );
      for (const now of WORLDS) {
        const after = apply(rows, compareFirings(now, rows, ALL));
        expect(standing(after)).toEqual(now);
        expect(compareFirings(now, after, ALL)).toEqual([]);
        expect(after.length).toBe(new Set(after.map(({ id }) => id)).size);
      }
    }
});

test('a firing that overlaps an alarm has its id, the same start before any other', () => {
  const row = (id: string, start: number, end: number | null): KnownFiring => ({
    id,
    start,
    fired: start,
    end,
    withdrawn: null,
  });
  const firing = (start: number, end: number | null): Firing => ({ start, fired: start, end });
  expect(compareFirings([firing(5, 20)], [row('x', 1, 10), row('y', 5, null)], ALL)).toEqual([
    { is: 'withdrawn', id: 'x' },
    { is: 'ended', id: 'y', firing: firing(5, 20) },
  ]);
  expect(compareFirings([firing(3, null)], [row('x', 5, 10)], ALL)).toEqual([
    { is: 'amended', id: 'x', firing: firing(3, null) },
  ]);
  // One that only touches is another one.
  expect(compareFirings([firing(10, 12)], [row('x', 5, 10)], ALL).map(({ is }) => is)).toEqual([
    'withdrawn',
    'raised',
  ]);
  const gone = { ...row('x', 5, 10), withdrawn: 7 };
  expect(compareFirings([firing(5, 10)], [gone], ALL)).toEqual([
    { is: 'raised', id: 'x', firing: firing(5, 10) },
  ]);
});

test('what had ended when the rule began, or is older than what is kept, raises nothing and is not taken back', () => {
  const firings = [
    { start: 1, fired: 1, end: 2 },
    { start: 4, fired: 4, end: 6 },
    { start: 8, fired: 8, end: null },
  ];
  expect(compareFirings(firings, [], { since: 2, keep: 2 })).toHaveLength(2);
  expect(compareFirings(firings, [], { since: 2, keep: 6 })).toEqual([
    { is: 'raised', id: null, firing: firings[2] },
  ]);
  const old = { id: 'x', start: 3, fired: 3, end: 4, withdrawn: null };
  expect(compareFirings([firings[2]!], [old], { since: 2, keep: 6 })).toHaveLength(1);
});

test('of more firings than are kept the newest count, and alarms of older ones stay', () => {
  const many = Array.from({ length: MOST_FIRINGS + 20 }, (_, i) => ({
    start: i * 2,
    fired: i * 2,
    end: i * 2 + 1,
  }));
  const old = { id: 'old', ...many[3]!, withdrawn: null };
  const found = compareFirings(many, [old], ALL);
  expect(found).toHaveLength(MOST_FIRINGS);
  expect(found.every(({ is }) => is === 'raised')).toBe(true);
});

test('any course of judgements ends with the firings of the last one, whatever came between and however often', () => {
  const moments = array(boolean(), { minLength: 1, maxLength: 40 });
  assert(
    property(array(moments, { minLength: 1, maxLength: 8 }), moments, (course, last) => {
      let rows: KnownFiring[] = [];
      for (const world of course) rows = apply(rows, compareFirings(firingsOf(world), rows, ALL));
      const once = apply(rows, compareFirings(firingsOf(last), rows, ALL));
      const twice = apply(once, compareFirings(firingsOf(last), once, ALL));
      expect(twice).toEqual(once);
      expect(standing(once)).toEqual(firingsOf(last));
      // An id stays with what it was given to: no alarm is lost by a later look.
      expect(once.map(({ id }) => id)).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
    }),
    { numRuns: someRuns(2000) },
  );
});
