import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fitTracks,
  leastWidth,
  spreadTracks,
  widenTracks,
} from '../../../../../renderer/components/table/fit-columns.ts';

const column = fc.record(
  {
    width: fc
      .tuple(fc.integer({ min: 1, max: 400 }), fc.boolean())
      .map(([px, grows]) => (grows ? `minmax(${px}px, 2fr)` : `${px}px`)),
    rank: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ['width'] },
);

test('columns stay in their order and fit, and none leaves before one that matters less', () => {
  fc.assert(
    fc.property(fc.array(column, { maxLength: 8 }), fc.integer({ min: 0, max: 2_000 }), (columns, room) => {
      const shown = fitTracks(columns, room);
      expect(columns.filter((one) => shown.includes(one))).toEqual(shown);
      const left = columns.filter((one) => !shown.includes(one));
      for (const { rank } of left) {
        expect(rank).toBeDefined();
        for (const staying of shown) expect(staying.rank ?? Infinity).toBeGreaterThanOrEqual(rank ?? 0);
      }
      if (room === 0) expect(left).toEqual([]);
      else if (leastWidth(shown) > room) expect(shown.every(({ rank }) => rank === undefined)).toBe(true);
    }),
  );
});

test('of what grows the least width counts', () => {
  const name = { width: 'minmax(150px, 2fr)' };
  const size = { width: '90px', rank: 1 };
  expect(leastWidth([name, size])).toBe(240);
  expect(fitTracks([name, size], 240)).toEqual([name, size]);
  expect(fitTracks([name, size], 239)).toEqual([name]);
});

test('a column that shrinks with its table sends others away as one that does not, and holds no room', () => {
  const name = { width: 'minmax(min(180px, 40%), 2fr)' };
  const size = { width: '90px', rank: 1 };
  expect(leastWidth([name, size])).toBe(90);
  expect(fitTracks([name, size], 270)).toEqual([name, size]);
  expect(fitTracks([name, size], 269)).toEqual([name]);
});

test('a column has the largest of the widths that it would rather have, as far as there is room', () => {
  const name = { width: 'minmax(min(170px, 40%), 340px)' };
  const curve = { width: 'minmax(150px, 1fr)', rank: 7, wishes: [193, 320] };
  const widthAt = (room: number) => widenTracks([name, curve], room).map(({ width }) => width);
  expect(widthAt(170 + 192)).toEqual([name.width, 'minmax(150px, 1fr)']);
  expect(widthAt(170 + 193)).toEqual([name.width, 'minmax(193px, 1fr)']);
  expect(widthAt(170 + 319)).toEqual([name.width, 'minmax(193px, 1fr)']);
  expect(widthAt(170 + 320)).toEqual([name.width, 'minmax(320px, 1fr)']);
  // Not measured yet, or no room for what is there.
  expect(widthAt(0)).toEqual([name.width, curve.width]);
});

test('where no column grows texts share what is left over by their widths, and buttons stay as wide as they are', () => {
  const name = { width: 'minmax(min(136px, 40%), 260px)' };
  const status = { width: '118px' };
  const actions = { width: '44px', align: 'center' } as const;
  expect(spreadTracks([status, name, actions])).toEqual([
    'minmax(118px, 118fr)',
    'minmax(min(136px, 40%), 260fr)',
    '44px',
  ]);
  const curve = { width: 'minmax(150px, 1fr)' };
  expect(spreadTracks([status, name, curve, actions])).toEqual([
    status.width,
    name.width,
    curve.width,
    actions.width,
  ]);
});
