import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, MOST_OF_CHART, pictureOf } from '#core/bridge/remote/document/charts.ts';
import { Ten } from '#core/bridge/remote/document/ten.ts';
import type { Target } from '#core/remote/target.ts';
import { succeeded } from '#shared/schema/envelope.ts';
import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { formatMicros, parseInstant } from '#shared/values/time.ts';

/* What is made of a service's pages, against records that are known. */

const PLACE = { project_id: 'p', device_id: 'd' };
const timeOf = ({ timestamp }: DataRecord) => parseInstant(timestamp) ?? NaN;

/** A service with these records, newest first, as the document has it. */
function serviceOf(records: readonly DataRecord[], saysTotal: boolean): { ten: Ten; asked: string[] } {
  const asked: string[] = [];
  const target: Target = {
    url: 'https://lab.example',
    authorization: '',
    trust: {},
    async ask(_method, path) {
      asked.push(path);
      const { searchParams } = new URL(path, 'https://lab.example');
      const [page, limit] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
      const end = (name: 'start' | 'end') =>
        searchParams.get('range') === 'all' ? null : (searchParams.get(name) ?? '');
      const [start, until] = [end('start'), end('end')];
      const within = records.filter(
        (record) =>
          (start === null || timeOf(record) >= (parseInstant(start) ?? NaN)) &&
          (until === null || timeOf(record) <= (parseInstant(until) ?? NaN)),
      );
      const data = within.slice((page - 1) * limit, page * limit);
      return { envelope: succeeded('', 200, '', data), total: saysTotal ? within.length : null };
    },
    download: () => Promise.reject(new Error('The document has no files.')),
    close: () => {},
  };
  return { ten: new Ten(target), asked };
}

const START = Date.UTC(2026, 0, 1) * 1000;
const value = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.boolean(), fc.constant('text'));
const record = fc
  .record({ at: fc.integer({ min: 0, max: 1_000 }), a: value, b: value }, { requiredKeys: ['at'] })
  .map(({ at, ...values }): DataRecord => ({ timestamp: formatMicros(START + at), ...values }));
const recording = fc
  .array(record, { maxLength: 60 })
  .map((all) => all.toSorted((a, b) => timeOf(b) - timeOf(a)));

describe('whatever a service holds, and whether or not it says how much that is', () => {
  test('its records are counted exactly', async () => {
    await fc.assert(
      fc.asyncProperty(recording, fc.boolean(), fc.nat(1_000), async (records, saysTotal, from) => {
        const { ten, asked } = serviceOf(records, saysTotal);
        const start = START + from;
        expect(await ten.count(PLACE, { start })).toBe(records.filter((one) => timeOf(one) >= start).length);
        expect(asked.length).toBeLessThanOrEqual(saysTotal ? 1 : 16);
      }),
    );
  });

  test('its columns are its records', async () => {
    await fc.assert(
      fc.asyncProperty(recording, fc.boolean(), async (records, saysTotal) => {
        const { ten } = serviceOf(records, saysTotal);
        const pages = await collect(columnsOf(ten, PLACE, { keys: ['a'] }));
        expect(pages.flatMap(({ timestamps }) => [...timestamps])).toEqual(records.map(timeOf));
        expect(pages.flatMap(({ columns: [a] }) => [...(a ?? [])])).toEqual(
          records.map((one) => numberOf(one['a'])),
        );
      }),
    );
  });

  test('its picture holds in each column of pixels what lies there', async () => {
    await fc.assert(
      fc.asyncProperty(
        recording,
        fc.boolean(),
        fc.nat(900),
        fc.integer({ min: 1, max: 20 }),
        async (records, saysTotal, from, width) => {
          const { ten } = serviceOf(records, saysTotal);
          const [start, end] = [START + from, START + from + 100];
          const { keys } = await pictureOf(ten, PLACE, { keys: ['a'], start, end, width });
          const starts = columnStarts(start, end, width);
          for (let column = 0; column < width; column++) {
            const until = starts[column + 1] ?? end + 1;
            const there = records
              .filter((one) => timeOf(one) >= (starts[column] ?? NaN) && timeOf(one) < until)
              .map((one) => numberOf(one['a']))
              .filter((one) => !Number.isNaN(one));
            expect(keys[0]?.counts[column]).toBe(there.length);
            if (there.length > 0)
              expect([keys[0]?.min[column], keys[0]?.max[column]]).toEqual([
                Math.min(...there),
                Math.max(...there),
              ]);
          }
        },
      ),
    );
  });
});

test('more records than a chart is read of are refused with what to do', async () => {
  const one = { timestamp: formatMicros(START), a: 1 };
  const { ten } = serviceOf(
    Array.from({ length: MOST_OF_CHART + 1 }, () => one),
    true,
  );
  await expect(collect(columnsOf(ten, PLACE, { keys: ['a'] }))).rejects.toThrow(
    `at most ${MOST_OF_CHART} of them, got ${MOST_OF_CHART + 1}: choose a shorter span`,
  );
});

async function collect<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

function numberOf(one: DataRecord[string] | undefined): number {
  if (typeof one === 'boolean') return one ? 1 : 0;
  return typeof one === 'number' ? one : NaN;
}
