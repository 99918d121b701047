import { describe, expect, test } from 'vitest';
import {
  chartColors,
  chosenLook,
  lineDash,
  lookOf,
  LOOKS,
} from '../../../../../renderer/chart/plot/palette.ts';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/**
 * What is left of linear RGB in the three kinds of colour blindness, complete (severity 1.0): Machado, Oliveira and
 * Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, table 1.
 */
const SIGHTS: Readonly<Record<string, Matrix>> = {
  ordinary: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const BACKGROUNDS = { light: '#ffffff', dark: '#1f2226' } as const;
const COLORS = 8;

const times = (matrix: Matrix, vector: Triple): Triple =>
  matrix.map((row) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]) as unknown as Triple;

/** IEC 61966-2-1. */
function linear(hex: string): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** CIE 1976 L*a*b* under D65. */
function lab(rgb: Triple): Triple {
  const xyz = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    rgb.map((part) => Math.min(1, Math.max(0, part))) as unknown as Triple,
  );
  const f = (t: number) => (t > 216 / 24_389 ? Math.cbrt(t) : ((24_389 / 27) * t + 16) / 116);
  const [x, y, z] = [f(xyz[0] / 0.95047), f(xyz[1]), f(xyz[2] / 1.08883)];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const luminance = (hex: string) => {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const lines = Array.from({ length: COLORS }, (_, look) => chartColors(scheme).line(look));

  test.each(Object.entries(SIGHTS))('any two colours are far apart in %s', (_, sight) => {
    const seen = lines.map((color) => lab(times(sight, linear(color))));
    for (const [i, a] of seen.entries())
      for (const [j, b] of seen.slice(0, i).entries()) {
        // CIE76: 2.3 is just noticed side by side; lines that are apart need several times that.
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        expect(distance, `${lines[i]} and ${lines[j]}`).toBeGreaterThan(15);
      }
  });

  test('each colour is read on its background, as the labels of an axis are', () => {
    for (const color of lines) {
      const [bright, dim] = [luminance(color), luminance(BACKGROUNDS[scheme])].toSorted((a, b) => b - a);
      expect(((bright ?? 0) + 0.05) / ((dim ?? 0) + 0.05), color).toBeGreaterThanOrEqual(4.5);
    }
  });
});

test('the model says what is known: red and green come close in protanopia, not in ordinary sight', () => {
  const distance = (sight: Matrix | undefined) => {
    const [a, b] = ['#c00000', '#4a6000'].map((color) =>
      lab(times(sight ?? SIGHTS['ordinary']!, linear(color))),
    );
    return Math.hypot(...[0, 1, 2].map((i) => (a?.[i] ?? 0) - (b?.[i] ?? 0)));
  };
  expect(distance(SIGHTS['ordinary'])).toBeGreaterThan(3 * distance(SIGHTS['protanopia']));
});

test('no two looks are alike, and from the fifth on a dash says it too', () => {
  const looks = Array.from({ length: LOOKS }, (_, look) => look);
  const seen = looks.map((look) => `${chartColors('light').line(look)} ${lineDash(look).join()}`);
  expect(new Set(seen).size).toBe(LOOKS);
  expect(LOOKS).toBeGreaterThanOrEqual(16);
  expect(looks.filter((look) => lineDash(look).length === 0)).toEqual([0, 1, 2, 3]);
});

test('a look belongs to its key, whatever is picked beside it', () => {
  const keys = ['battery', 'humidity', 'rssi', 'temperature', 'voltage'];
  const known = new Map<string, number>();
  expect(lookOf(keys.slice(0, 4), keys, known)).toEqual([0, 1, 2, 3]);
  expect(lookOf(['temperature'], keys, known)).toEqual([3]);
  expect(lookOf(['temperature', 'voltage'], keys, new Map())).toEqual([3, 4]);
  // A key that comes before the others takes nobody's look.
  expect(lookOf(['air', 'battery', 'humidity'], ['air', ...keys], known)).toEqual([2, 0, 1]);
});

test('of hundreds of keys no two that are drawn together look alike', () => {
  const keys = Array.from({ length: 300 }, (_, i) => `k${String(i).padStart(3, '0')}`);
  const known = new Map<string, number>();
  const drawn = [0, 24, 48, 72, 96, 120, 144, 168].map((i) => keys[i] ?? '');
  for (let n = 1; n <= drawn.length; n++) {
    const looks = lookOf(drawn.slice(0, n), keys, known);
    expect(new Set(looks).size).toBe(n);
    expect(lookOf(drawn.slice(0, n), keys, known)).toEqual(looks);
  }
});

test('a colour or a dash that a person chose is the one that is drawn, and the others make room', () => {
  const { line } = chartColors('light');
  const seen = (look: number) => [line(look), lineDash(look).join()];
  expect(seen(chosenLook({ colour: 6, dash: null }, 0))).toEqual([line(6), '']);
  expect(seen(chosenLook({ colour: 1, dash: 'dashed' }, 0))).toEqual([line(1), '8,4']);
  expect(seen(chosenLook({ colour: null, dash: 'dotted' }, 3))).toEqual([line(3), '2,3']);
  expect(chosenLook({ colour: null, dash: null }, 17)).toBe(17);
  const keys = ['a', 'b', 'c'];
  const chosen = (key: string) => ({ colour: key === 'c' ? 0 : null, dash: null });
  expect(lookOf(keys, keys, new Map(), chosen)).toEqual([1, 2, 0]);
});
