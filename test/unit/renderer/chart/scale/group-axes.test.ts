import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupAxes, needsMoreAxes, type Measured } from '../../../../../renderer/chart/scale/group-axes.ts';

const line = (min: number, max: number, unit = '', wanted: Measured['wanted'] = null): Measured => ({
  bounds: { min, max },
  unit,
  wanted,
});

test('lines of a like size share an axis; one that would be pressed flat gets the other', () => {
  expect(groupAxes([line(18, 24), line(15, 30), line(400, 2000)])).toEqual(['left', 'left', 'right']);
  expect(groupAxes([line(0, 1), line(1000, 1001)])).toEqual(['left', 'right']);
});

test('a third size goes where it is pressed least', () => {
  expect(groupAxes([line(0, 1), line(0, 100), line(0, 1e6)])).toEqual(['left', 'right', 'right']);
  expect(groupAxes([line(0, 1e6), line(0, 1), line(0, 15)])).toEqual(['left', 'right', 'right']);
});

test('a counter of billions gets an axis of its own where the others can be read on one', () => {
  const [ambient, supply, humidity] = [line(21, 27), line(55, 65), line(37, 43)];
  expect(groupAxes([ambient, supply, humidity, line(12_345_679_300, 12_345_682_299)])).toEqual([
    'left',
    'left',
    'left',
    'right',
  ]);
  // What was put on an axis by hand stays there.
  const put = { ...supply, wanted: 'right' as const };
  expect(groupAxes([ambient, put, humidity, line(12_345_679_300, 12_345_682_299)])[1]).toBe('right');
});

test('lines of one unit share an axis whatever their size, and two units have two', () => {
  expect(groupAxes([line(20, 21, '°C'), line(20, 21, '%'), line(-40, 900, '°C')])).toEqual([
    'left',
    'right',
    'left',
  ]);
});

test('a line flatter than its unit stays with it where the two axes could become one', () => {
  expect(groupAxes([line(0, 0, '%'), line(0, 0.11), line(0, 1e-6, '%')])).toEqual(['left', 'right', 'left']);
});

test('an axis that was chosen by hand wins, and what is like it follows', () => {
  expect(groupAxes([line(20, 21, '°C'), line(22, 24, '°C', 'right')])).toEqual(['right', 'right']);
  expect(groupAxes([line(0, 1, '', 'left'), line(0, 1e6, '', 'left')])).toEqual(['left', 'left']);
});

test('constant lines and those without numbers have an axis, too', () => {
  expect(groupAxes([line(5, 5), line(Infinity, -Infinity)])).toEqual(['left', 'right']);
  expect(groupAxes([])).toEqual([]);
});

test('every line has an axis, the first without a choice the left one, and those of one unit the same', () => {
  const any = fc.record({
    bounds: fc.tuple(fc.float({ noNaN: true }), fc.float({ noNaN: true })).map(([a, b]) => ({
      min: Math.min(a, b),
      max: Math.max(a, b),
    })),
    unit: fc.constantFrom('', '°C', '%', 'V'),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 24 }), (lines) => {
      const sides = groupAxes(lines);
      expect(sides).toHaveLength(lines.length);
      if (sides.length > 0) expect(sides[0]).toBe('left');
      const [first] = lines;
      for (const [index, { unit }] of lines.entries())
        if (unit !== '' && unit === first?.unit) expect(sides[index]).toBe('left');
    }),
  );
});

test('two axes are too few where unlike keys would share one', () => {
  const [battery, humidity, rssi, temperature] = [
    line(3.5, 3.6),
    line(40, 60.9),
    line(-69, -60),
    line(18, 30.4),
  ];
  expect(needsMoreAxes([battery, humidity, rssi, temperature])).toBe(true);
  expect(needsMoreAxes([line(0, 9, 'V'), line(0, 9, 'A'), line(0, 9, '°C')])).toBe(true);
  // Each has an axis, or they can be read on one.
  expect(needsMoreAxes([battery, humidity])).toBe(false);
  expect(needsMoreAxes([line(18, 24), line(15, 30), line(400, 2000)])).toBe(false);
  expect(needsMoreAxes([line(20, 21, '°C'), line(0, 100, '%'), line(-40, 900, '°C')])).toBe(false);
  expect(needsMoreAxes([])).toBe(false);
});

test('an axis that was chosen by hand, and keys without numbers or without a move, ask for no more', () => {
  const unlike = [line(0, 9, 'V'), line(0, 9, 'A'), line(0, 9, '°C')];
  expect(needsMoreAxes([...unlike, line(0, 1, 'W', 'right')])).toBe(false);
  expect(needsMoreAxes([line(0, 9, 'V'), line(0, 9, 'A'), line(Infinity, -Infinity, '°C')])).toBe(false);
  expect(needsMoreAxes([line(0, 9), line(5, 5), line(7, 7)])).toBe(false);
});
