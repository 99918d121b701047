import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFormula } from '#shared/domain/formula/derived-formula.ts';
import { keysOfFormula } from '#shared/domain/formula/formula-terms.ts';
import {
  formulaWords,
  readFormula,
  recordWords,
} from '../../../../../../renderer/views/device/corrections/derive/formula-draft.ts';
import {
  curveOf,
  formulaRows,
} from '../../../../../../renderer/views/device/corrections/derive/formula-rows.ts';
import { createMemoryRecordStore } from '../../../../../helpers/store/memory-record-store.ts';

const KNOWN = ['air', 'humidity'];
const nameOf = (key: string) => (key === 'air' ? 'Air temperature' : key);
const words = (text: string) => formulaWords(parseFormula(text), nameOf);

describe('a formula that is typed', () => {
  test('says what is wrong with it, and where', () => {
    const problem = (text: string, own = '') => readFormula(text, KNOWN, own);
    expect(problem(' ')).toEqual({ problem: null });
    expect(problem('air -')).toEqual({
      problem: expect.stringMatching(/^Not a formula yet: .* at character 6\.$/),
    });
    expect(problem('2 + 3')).toEqual({ problem: 'A formula asks for at least one key of the device.' });
    expect(problem('dew - air', 'dew')).toEqual({ problem: '"dew" cannot be computed of itself.' });
    expect(problem('airr - 1')).toEqual({
      problem: 'The device has no key "airr". It has "air", "humidity".',
    });
    expect(problem('air - humidity')).toMatchObject({ keys: expect.arrayContaining(['air', 'humidity']) });
  });

  test('is told as it is computed, by the names of its keys', () => {
    expect(words('(air-humidity)/2')).toBe('(Air temperature − humidity) ÷ 2');
    expect(words('air-(humidity-1)*-2')).toBe('Air temperature − (humidity − 1) × −2');
    expect(words('max(air, 2) + abs(humidity)')).toBe('most of (Air temperature, 2) + |humidity|');
    expect(words('mean(air, 10min)')).toBe('mean of Air temperature over 10 min');
  });

  test('says which records have a value', () => {
    expect(recordWords(['air'], 0, nameOf)).toBe('Each record with Air temperature has a value.');
    expect(recordWords(KNOWN, 0, nameOf)).toBe('Each record with Air temperature and humidity has a value.');
    expect(recordWords(KNOWN, 90, nameOf)).toBe(
      'Each record with Air temperature or humidity has a value, where the others are at most 1 min 30 s old.',
    );
  });
});

const TEXTS = ['a - b', 'a / b', 'mean(a, 5s) + b', 'max(a, b) * 2', 'sqrt(a - b)', 'abs(-a)'];

test('a preview has the values that the service computes', async () => {
  const cell = fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined });
  const record = fc.record({ after: fc.integer({ min: 0, max: 4 }), a: cell, b: cell });
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...TEXTS),
      fc.constantFrom(0, 2, 6),
      async (rows, of, within_s) => {
        let at = 0;
        const timed = rows.map(({ after, a, b }) => ({ at: (at += after * 1e6), a, b }));
        const formula = parseFormula(of);
        const keys = [...keysOfFormula(formula)];
        const columns = keys.map((key) => Float64Array.from(timed, (row) => row[key as 'a' | 'b'] ?? NaN));
        const view = { timestamps: Float64Array.from(timed, (row) => row.at), columns };
        const found = formulaRows(view, { formula, keys, within: within_s * 1e6 }, false);
        const store = createMemoryRecordStore();
        await store.append(
          'd',
          timed.map(({ at: timestamp, a, b }) => {
            const cells = Object.entries({ a, b }).filter(([, value]) => value !== undefined);
            const [names, values] = [cells.map(([key]) => key), cells.map(([, value]) => value!)];
            return { timestamp, received: 0, keys: names, values };
          }),
        );
        const derived = { kind: 'derived', key: 'x', of, within_s } as const;
        const viewed = { device: 'd', lens: { corrections: [derived], formers: [] } };
        const page = await store.columns(viewed, { offset: 0, limit: 100, range: {}, keys: ['x'] });
        const wanted = [...page.timestamps]
          .map((time, row) => ({ at: time, value: page.columns[0]?.[row] ?? NaN }))
          .filter(({ value }) => !Number.isNaN(value))
          .toReversed();
        expect(found.map(({ at: time, value }) => ({ at: time, value }))).toEqual(wanted);
      },
    ),
  );
});

test('a curve has the least and the most of each of its columns', () => {
  const rows = [0, 1, 2, 3].map((at) => ({ at, of: [], value: at * at }));
  expect(curveOf(rows, 2)).toEqual({ min: [0, 4], max: [1, 9] });
  expect(curveOf([], 2)).toBeNull();
});

test('values that reach back to records that are not at hand are left out', () => {
  const view = { timestamps: Float64Array.of(0, 1e6, 6e6), columns: [Float64Array.of(1, 2, 3)] };
  const rule = { formula: parseFormula('mean(a, 5s)'), keys: ['a'], within: 0 };
  expect(formulaRows(view, rule, true).map(({ at }) => at)).toEqual([6e6]);
  expect(formulaRows(view, rule, false)).toHaveLength(3);
});
