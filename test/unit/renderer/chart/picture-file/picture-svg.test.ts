import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KeyStates } from '#shared/operations/records/states.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { ChartLine } from '../../../../../renderer/chart/draw/chart-line.ts';
import { drawPicture, pictureOf } from '../../../../../renderer/chart/draw/picture.ts';
import { pictureSvg } from '../../../../../renderer/chart/picture-file/page-svg.ts';
import { pictureName } from '../../../../../renderer/chart/picture-file/save-picture.ts';
import type { Scene, SceneLook } from '../../../../../renderer/chart/picture-file/scene.ts';
import { timeTicks, valueTicks } from '../../../../../renderer/chart/scale/ticks.ts';
import { fitted } from '../../../../../renderer/chart/picture-file/xml.ts';
import { stripOf } from '../../../../../renderer/chart/states/strip.ts';
import { elementsOf } from './well-formed.ts';

const START = Date.UTC(2026, 10, 18) * 1000;
const MINUTE = 60e6;

const LOOK: SceneLook = {
  line: (look) => ['#111111', '#222222'][look] ?? '#333333',
  dash: (look) => (look === 1 ? [8, 4] : []),
  text: '#000000',
  dimmed: '#666666',
  grid: '#eeeeee',
  background: '#ffffff',
  width: 1000,
  plotHeight: 400,
};

function sceneOf(columns: readonly (readonly number[])[], name: string, more: Partial<Scene> = {}): Scene {
  const rows = columns[0]?.length ?? 0;
  const timestamps = Float64Array.from({ length: rows }, (_, row) => START + row * MINUTE);
  const view = { timestamps, columns: columns.map((column) => Float64Array.from(column)) };
  const window = { from: START, to: START + Math.max(1, rows - 1) * MINUTE };
  const lines = columns.map((_, look): ChartLine => {
    const axis = look === 1 ? 'right' : 'left';
    return { id: `${look}`, device_id: 'd', key: name, label: name, unit: name.slice(0, 3), look, axis };
  });
  const drawing = drawPicture(pictureOf(view), window, 800);
  return {
    title: name,
    about: name,
    window,
    zone: 'utc',
    panes: [{ lines, drawing, ranges: { left: [0, 100], right: [0, 10] } }],
    legend: {
      columns: ['n', 'mean'],
      rows: lines.map(({ look }) => ({ look, label: name, cells: ['3', name] })),
    },
    strips: [{ label: name, strip: stripOf(statesOf([['open', 0, 1]], name), Infinity)! }],
    notes: [{ start: START, end: null, text: name, author: name }],
    ...more,
  };
}

/** Values and the minutes between which they held; null where several did. */
function statesOf(runs: readonly (readonly [string | null, number, number])[], key = 'door'): KeyStates {
  const at = (minute: number) => formatMicros(START + minute * MINUTE);
  return {
    key,
    words: runs.length,
    last_time: at(runs.at(-1)?.[2] ?? 0),
    runs: runs.map(([value, from, to]) => {
      const changes = value === null ? 5 : 0;
      return { from: at(from), to: at(to), value, changes, from_known: true, to_known: true };
    }),
  };
}

/** The places of a line's vertices. */
function placesOf(path: string): { x: number; y: number }[] {
  return [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

const linesIn = (svg: string) =>
  elementsOf(svg).filter(
    ({ name, attributes }) => name === 'path' && attributes['stroke-linejoin'] === 'round',
  );

describe('a picture', () => {
  test('is well-formed whatever names, units, notes and cells hold', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        ']]>',
        '&amp;',
        '"\'',
        '\ud800',
        '\u202eabc',
        '\u0000\u0008',
        '',
      ),
    );
    fc.assert(
      fc.property(names, (name) => {
        const elements = elementsOf(pictureSvg(sceneOf([[1, 2, 3]], name), LOOK));
        expect(elements[0]?.name).toBe('svg');
        expect(elements.map((one) => one.name)).not.toContain('script');
      }),
    );
  });

  test('has a path for each line, with the extremes of its numbers where the axis has them', () => {
    const numbers = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 3000 });
    fc.assert(
      fc.property(numbers, (values) => {
        const svg = pictureSvg(sceneOf([values], 'temperature'), LOOK);
        const [line, ...others] = linesIn(svg);
        expect(others).toEqual([]);
        const ys = placesOf(line?.attributes['d'] ?? '').map(({ y }) => y);
        const frame = elementsOf(svg).find(({ attributes }) => attributes['height'] === '400')?.attributes;
        const valueOf = (y: number) => 100 - ((y - Number(frame?.['y'])) / 400) * 100;
        expect(valueOf(Math.max(...ys))).toBeCloseTo(Math.min(...values), 1);
        expect(valueOf(Math.min(...ys))).toBeCloseTo(Math.max(...values), 1);
      }),
      { numRuns: 50 },
    );
  });

  test('tells lines apart by colour and dash, and leaves gaps open', () => {
    const quiet = Array.from({ length: 100 }, (_, row) => (row > 40 && row < 60 ? Number.NaN : 5));
    const svg = pictureSvg(sceneOf([quiet.map((value) => value * 2), quiet], 'x'), LOOK);
    const [first, second] = linesIn(svg);
    expect([first?.attributes['stroke'], first?.attributes['stroke-dasharray']]).toEqual([
      '#111111',
      undefined,
    ]);
    expect([second?.attributes['stroke'], second?.attributes['stroke-dasharray']]).toEqual([
      '#222222',
      '8 4',
    ]);
    expect(first?.attributes['d']?.match(/M/g)).toHaveLength(2);
  });

  test('numbers the notes of its span, and leaves others out', () => {
    const notes = [
      { start: START + 2 * MINUTE, end: START + 3 * MINUTE, text: 'second', author: 'app' },
      { start: START - 9 * MINUTE, end: START - 8 * MINUTE, text: 'before', author: 'app' },
      { start: START, end: null, text: 'first', author: 'rig' },
    ];
    const svg = pictureSvg(sceneOf([[1, 2, 3, 4]], 'x', { notes }), LOOK);
    expect(svg).toMatch(/1 {2}2026-11-18 00:00:00 {2}first \(rig\)/);
    expect(svg).toMatch(/2 {2}2026-11-18 00:02:00 – 2026-11-18 00:03:00 {2}second \(app\)/);
    expect(svg).not.toContain('before');
  });

  test('shows below the plots what texts and booleans held when, by their words', () => {
    const runs = [
      ['open', 0, 60],
      ['closed', 60, 90],
      [null, 90, 91],
      ['open', 91, 119],
    ] as const;
    const strip = stripOf(statesOf(runs), Infinity)!;
    const numbers = Array.from({ length: 120 }, (_, row) => row);
    const scene = sceneOf([numbers], 'x', { strips: [{ label: 'Valve', strip }] });
    const svg = pictureSvg(scene, LOOK);
    const elements = elementsOf(svg);
    const words = [...svg.matchAll(/(Valve|open|closed)\u2069<\/text>/g)].map(([, word]) => word);
    expect(words).toEqual(['Valve', 'open', 'closed', 'open']);
    // Where it is, as wide as the plot: closed from the middle to three quarters.
    const plot = elements.find(({ name, attributes }) => name === 'rect' && attributes['fill'] === 'none');
    const [left, width] = [Number(plot?.attributes['x']), Number(plot?.attributes['width'])];
    const bars = elements.filter(({ attributes }) => attributes['fill-opacity'] === '0.3');
    const [, from, , wide] = /^M([\d.]+) ([\d.]+)h([\d.]+)/.exec(bars[0]?.attributes['d'] ?? '') ?? [];
    expect(bars).toHaveLength(2);
    expect(Number(from)).toBeCloseTo(left, 0);
    expect(Number(wide)).toBeCloseTo((width * 60) / 119, 0);
    expect(elements.some(({ attributes }) => attributes['fill'] === 'url(#changing)')).toBe(true);
  });

  test('shows a dozen strips and says how many more there are', () => {
    const strip = stripOf(statesOf([['open', 0, 1]]), Infinity)!;
    const strips = Array.from({ length: 15 }, (_, n) => ({ label: `Door ${n}`, strip }));
    const svg = pictureSvg(sceneOf([[1, 2]], 'x', { strips }), LOOK);
    expect(svg).toContain('Door 11');
    expect(svg).not.toContain('Door 12');
    expect(svg).toContain('and 3 more');
  });

  test('of a device without numbers has its states, with the time', () => {
    const strip = stripOf(statesOf([['open', 0, 60]]), Infinity)!;
    const window = { from: START, to: START + 60 * MINUTE };
    const svg = pictureSvg(sceneOf([], 'x', { panes: [], strips: [{ label: 'Door', strip }], window }), LOOK);
    expect(svg).toContain('Door');
    expect(svg).toContain('00:30');
  });

  test('says span and zone', () => {
    expect(pictureSvg(sceneOf([[1, 2]], 'x'), LOOK)).toContain(
      '2026-11-18 00:00:00 – 2026-11-18 00:01:00 UTC',
    );
  });
});

describe('ticks', () => {
  const spans = fc
    .tuple(fc.integer({ min: -4e15, max: 4e15 }), fc.integer({ min: 5000, max: 8e15 }))
    .map(([from, span]) => ({ from, to: from + span }));

  test('of time lie inside, one after the other, few enough to be read', () => {
    fc.assert(
      fc.property(spans, fc.constantFrom('local' as const, 'utc' as const), (window, zone) => {
        const { at } = timeTicks(window, 8, zone);
        expect(at.length).toBeLessThanOrEqual(12);
        expect(at).toEqual(at.toSorted((a, b) => a - b));
        for (const tick of at) {
          expect(tick * 1000).toBeGreaterThanOrEqual(window.from - 1);
          expect(tick * 1000).toBeLessThanOrEqual(window.to + 1);
        }
      }),
    );
  });

  test('of values are round and inside', () => {
    expect(valueTicks(0, 1, 5).at).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(valueTicks(-1200, 900, 4).at).toEqual([-1000, 0]);
    expect(valueTicks(18.2, 27.9, 10).at).toEqual([19, 20, 21, 22, 23, 24, 25, 26, 27]);
  });
});

describe('a picture’s name', () => {
  const window = { from: START, to: START + 1500 * MINUTE };
  const device = { name: 'PT-107', id: '4f3a7777', isTwin: false };

  test('says device and days', () => {
    expect(pictureName([device], window, 'utc', 'png')).toBe('PT-107_2026-11-18_2026-11-19.png');
    expect(pictureName([device], { from: START, to: START }, 'utc', 'svg')).toBe('PT-107_2026-11-18.svg');
  });

  test('tells devices of one name apart', () => {
    const twins = [device, { ...device, id: '9c00', isTwin: true }];
    expect(pictureName(twins, { from: START, to: START }, 'utc', 'png')).toBe(
      'PT-107+PT-107-9c00_2026-11-18.png',
    );
  });

  test('is one that every file system takes', () => {
    const hostile = { name: `${'/'.repeat(3)}<b>${'ä'.repeat(300)}`, id: 'x', isTwin: false };
    expect(pictureName([hostile], window, 'utc', 'png')).toMatch(/^-b-ä{10,}_2026-11-18_2026-11-19\.png$/);
  });
});

test('a name that is too long is cut in its middle', () => {
  expect(fitted('very.long.key.name.of.a.sensor', 10, 58)).toBe('very.…nsor');
  expect(fitted('short', 10, 58)).toBe('short');
});
