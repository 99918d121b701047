import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COLUMNS, type WidgetPlace } from '#shared/domain/dashboard.ts';
import {
  nextPlace,
  placesOf,
  putAt,
  stepped,
  type Placed,
} from '../../../../../renderer/views/dashboard/grid/places.ts';

const at = (x: number, y: number, w: number, h: number): WidgetPlace => ({ x, y, w, h });
const placed = (all: Readonly<Record<string, WidgetPlace>>): Placed[] =>
  Object.entries(all).map(([id, place]) => ({ id, place }));
const byId = (all: readonly Placed[]) => Object.fromEntries(all.map(({ id, place }) => [id, place]));

const overlapping = (all: readonly Placed[]) =>
  all.flatMap(({ id, place: a }, index) =>
    all.slice(index + 1).flatMap(({ id: other, place: b }) => {
      const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      return isApart ? [] : [`${id} and ${other}`];
    }),
  );

describe('places', () => {
  test('of widgets that have one stay; others stand below in rows, in their order', () => {
    const widgets = [
      { id: 'new', type: 'chart', layout: {} },
      { id: 'kept', type: 'value', layout: { x: 3, y: 2, w: 3, h: 2 } },
      { id: 'odd', type: 'line', layout: { of: 'others' } },
      { id: 'wide', type: 'table', layout: {} },
    ];
    expect(byId(placesOf(widgets))).toEqual({
      kept: at(3, 2, 3, 2),
      new: at(0, 4, 6, 6),
      odd: at(6, 4, 4, 3),
      // There is no room beside them.
      wide: at(0, 10, 6, 6),
    });
  });

  test('that are wrong count as none', () => {
    const [one] = placesOf([{ id: 'a', type: 'value', layout: { x: 11, y: 0, w: 4, h: 1 } }]);
    expect(one?.place).toEqual(at(0, 0, 3, 3));
  });

  test('never lie on one another, and one that is put somewhere is there', () => {
    const place = fc
      .record({
        x: fc.nat(11),
        y: fc.nat(20),
        w: fc.integer({ min: 1, max: 12 }),
        h: fc.integer({ min: 1, max: 8 }),
      })
      .map(({ x, w, ...rest }) => ({ ...rest, x, w: Math.min(w, COLUMNS - x) }));
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 20 }), place, (all, to) => {
        const first = placesOf(all.map((layout, n) => ({ id: `${n}`, type: 'chart', layout })));
        expect(overlapping(first)).toEqual([]);
        const next = putAt(first, '0', to);
        expect(overlapping(next)).toEqual([]);
        expect(byId(next)['0']).toEqual(to);
        expect(next).toHaveLength(all.length);
      }),
    );
  });
});

describe('a widget that is put onto another one', () => {
  test('has it go below where there is no room above', () => {
    const all = placed({ a: at(0, 0, 4, 2), b: at(0, 2, 4, 3), c: at(0, 5, 4, 1), d: at(6, 0, 2, 2) });
    expect(byId(putAt(all, 'a', at(0, 1, 4, 2)))).toEqual({
      a: at(0, 1, 4, 2),
      b: at(0, 3, 4, 3),
      c: at(0, 6, 4, 1),
      d: at(6, 0, 2, 2),
    });
  });

  test('changes places with it once there is', () => {
    const all = placed({ a: at(0, 0, 4, 2), b: at(0, 2, 4, 2) });
    expect(byId(putAt(all, 'a', at(0, 2, 4, 2)))).toEqual({ a: at(0, 2, 4, 2), b: at(0, 0, 4, 2) });
  });
});

test('a new widget stands beside the last ones where there is room, else below', () => {
  expect(nextPlace([], { w: 3, h: 3 })).toEqual(at(0, 0, 3, 3));
  expect(nextPlace(placed({ a: at(0, 0, 6, 3) }), { w: 3, h: 3 })).toEqual(at(6, 0, 3, 3));
  expect(nextPlace(placed({ a: at(0, 0, 12, 3) }), { w: 3, h: 3 })).toEqual(at(0, 3, 3, 3));
});

describe('a step', () => {
  test.each([
    [at(0, 0, 4, 2), { x: -1 }, at(0, 0, 4, 2)],
    [at(8, 0, 4, 2), { x: 1 }, at(8, 0, 4, 2)],
    [at(8, 0, 4, 2), { w: 1 }, at(8, 0, 4, 2)],
    [at(7, 0, 4, 2), { w: 1 }, at(7, 0, 5, 2)],
    [at(7, 3, 1, 1), { w: -1, h: -1 }, at(7, 3, 1, 1)],
    [at(7, 3, 1, 1), { y: 2, h: 200 }, at(7, 5, 1, 100)],
    [at(0, 1, 4, 2), { y: -5 }, at(0, 0, 4, 2)],
  ])('of %j by %j ends where the grid does', (place, by, to) => {
    expect(stepped(place, by)).toEqual(to);
  });
});
