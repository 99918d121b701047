import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BOOLEAN, NUMBER } from '#core/store/record-columns.ts';
import { SUSPECTS, type Suspects, type SuspectsQuery } from '#core/survey/suspects.ts';
import { someRuns } from '../../helpers/some-runs.ts';

type Reading = readonly [time: number, value: number];
type Rules = Partial<Omit<SuspectsQuery, 'keys' | 'range'>>;

const NONE = { spikeSds: null, stuck: null, outside: null, gap: null, most: 100 };

function found(readings: readonly Reading[], rules: Rules): Suspects {
  const fold = SUSPECTS.begin({ range: {}, keys: ['t'], ...NONE, ...rules });
  do for (const [time, value] of readings) fold.take(0, time, NUMBER, value);
  while (fold.again());
  return fold.result();
}

describe('suspects', () => {
  test('finds a single spike among noise, and not the step to another level', () => {
    const values = [20, 20.1, 19.9, 20, 35, 20, 20.1, 19.9, 20, 20.1, 25, 25.1, 24.9, 25, 25.1];
    const readings = values.map((value, i): Reading => [i, value]);
    expect(found(readings, { spikeSds: 2 }).spike?.list).toEqual([{ start: 4, end: 4, records: 1 }]);
  });

  test('finds a stuck sensor by how long it said the same', () => {
    const readings = [1, 2, 2, 2, 3, 3].map((value, i): Reading => [i * 10, value]);
    expect(found(readings, { stuck: 20 }).stuck).toEqual({
      records: 3,
      places: 1,
      list: [{ start: 10, end: 30, records: 3 }],
    });
  });

  test('finds stretches outside of limits, which themselves are inside, and gaps with the longest first', () => {
    const readings: Reading[] = [
      [0, 5],
      [1, 6],
      [2, 10],
      [3, 11],
      [20, 12],
      [21, 4],
      [31, 5],
    ];
    const { outside, gap } = found(readings, { outside: [5, 10], gap: 5 });
    expect(outside?.list).toEqual([{ start: 3, end: 21, records: 3 }]);
    expect(gap?.list.map(({ start, end }) => [start, end])).toEqual([
      [3, 20],
      [21, 31],
    ]);
  });

  test('looks for nothing that was not asked for, and takes booleans for no readings', () => {
    const fold = SUSPECTS.begin({ range: {}, keys: ['t'], ...NONE, stuck: 0 });
    for (const time of [0, 1, 2]) fold.take(0, time, BOOLEAN, 1);
    expect(fold.again()).toBe(false);
    expect(fold.result()).toEqual({
      spike: null,
      stuck: { records: 0, places: 0, list: [] },
      outside: null,
      gap: null,
    });
  });

  test('agrees with a look at each reading beside its neighbours', () => {
    const readings = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: -3, max: 3 })), { maxLength: 40 })
      .map((steps) => {
        let time = 0;
        return steps.map(([pause, value]): Reading => [(time += pause), value]);
      });
    fc.assert(
      fc.property(
        readings,
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 0, max: 15 }),
        (list, stuck, gap) => {
          const rules = { spikeSds: 1.5, stuck, gap, outside: [-1, 2] as const };
          const result = found(list, rules);
          const differences = list
            .slice(1, -1)
            .map(
              ([, value], i) => value - [list[i]![1], value, list[i + 2]![1]].toSorted((a, b) => a - b)[1]!,
            );
          const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
          const squares = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0);
          const sd = differences.length < 2 ? 0 : Math.sqrt(squares / (differences.length - 1));
          const clear = differences.filter((one) => Math.abs(Math.abs(one) - 1.5 * sd) > 1e-9);
          // What lies on the threshold to the last bit may fall to either side.
          if (clear.length === differences.length)
            expect(result.spike?.records).toBe(differences.filter((one) => Math.abs(one) > 1.5 * sd).length);
          expect(result.outside?.records).toBe(list.filter(([, value]) => value < -1 || value > 2).length);
          expect(result.gap?.places).toBe(
            list.filter(([time], i) => i > 0 && time - list[i - 1]![0] > gap).length,
          );
          expect(result.stuck?.records).toBe(
            runsOf(list)
              .filter((run) => run.length > 1 && run.at(-1)![0] - run[0]![0] >= stuck)
              .flat().length,
          );
        },
      ),
      { numRuns: someRuns(400) },
    );
  });
});

function runsOf(list: readonly Reading[]): Reading[][] {
  const runs: Reading[][] = [];
  for (const reading of list)
    if (runs.at(-1)?.[0]?.[1] === reading[1]) runs.at(-1)!.push(reading);
    else runs.push([reading]);
  return runs;
}
