import { beforeEach, describe, expect, test } from 'vitest';
import { chartHandlers } from '#core/api/handlers/records/charts.ts';
import type { CheckedInput, OutputOf } from '#shared/operations/index.ts';
import type { ColumnPage } from '#shared/bridge/wire.ts';

const DEVICE = { project_id: 'p', device_id: 'd' };
const REQUEST = { ...DEVICE, keys: ['a'], view: 'raw' as const };

let rows: number[];
const asked: { offset: number; limit: number; start?: number; end?: number }[] = [];

interface Query {
  readonly offset: number;
  readonly limit: number;
  readonly range: { readonly start?: number; readonly end?: number };
}

const records = {
  async columns(device: string, { offset, limit, range }: Query) {
    expect(device).toBe('d');
    const { start = 0, end = Infinity } = range;
    asked.push({ offset, limit, ...range });
    const inRange = rows.filter((time) => time >= start && time <= end).toReversed();
    const page = Float64Array.from(inRange.slice(offset, offset + limit));
    return { total: inRange.length, timestamps: page, columns: [page.map((time) => time * 2)] };
  },
};

beforeEach(() => {
  asked.length = 0;
  rows = Array.from({ length: 25_000 }, (_, index) => index);
});

/** Reads columns to their end; `take` sees each page as soon as it is there. */
async function read(
  input: CheckedInput<'chart.columns'>,
  take: (page: ColumnPage) => void,
): Promise<OutputOf<'chart.columns'>> {
  const call = { input, device: { id: 'd' } };
  const { arrays } = await chartHandlers['chart.columns'](call as never, { records } as never);
  for (;;) {
    const next = await arrays.next();
    if (next.done) return next.value;
    take(next.value);
  }
}

describe('columns', () => {
  test('come newest first, a small page before the large ones, then how many there were', async () => {
    const sizes: number[] = [];
    const seen: number[] = [];
    const data = await read(REQUEST, ({ offset, timestamps, columns, total }) => {
      expect([offset, total]).toEqual([seen.length, 25_000]);
      expect(columns[0]?.[0]).toBe((timestamps[0] ?? 0) * 2);
      sizes.push(timestamps.length);
      seen.push(...timestamps);
    });
    expect(sizes).toEqual([1000, 10_000, 10_000, 4000]);
    expect(seen).toEqual(rows.toReversed());
    expect(data).toEqual({ records: 25_000 });
  });

  test('neither repeat nor skip rows while newer ones arrive', async () => {
    const seen: number[] = [];
    await read(REQUEST, ({ timestamps }) => {
      seen.push(...timestamps);
      rows = [...rows, ...Array.from({ length: 50 }, (_, index) => rows.length + index)];
    });
    expect(seen).toEqual(Array.from({ length: 25_000 }, (_, index) => 24_999 - index));
  });

  test('keep to the range that was asked for', async () => {
    const seen: number[] = [];
    await read({ ...REQUEST, start: 10, end: 20_009 }, ({ timestamps }) => void seen.push(...timestamps));
    expect([seen[0], seen.at(-1), seen.length]).toEqual([20_009, 10, 20_000]);
  });

  test('of a device without records are one empty page', async () => {
    rows = [];
    const pages: number[] = [];
    const data = await read(REQUEST, ({ timestamps }) => void pages.push(timestamps.length));
    expect([pages, data]).toEqual([[0], { records: 0 }]);
  });

  test('end when records go while they are read', async () => {
    const pages: number[] = [];
    const data = await read(REQUEST, ({ timestamps }) => {
      pages.push(timestamps.length);
      rows = [];
    });
    expect([pages, data]).toEqual([[1000, 0], { records: 1000 }]);
  });

  test('are read only when they are asked for', async () => {
    const { arrays } = await chartHandlers['chart.columns'](
      { input: REQUEST, device: { id: 'd' } } as never,
      { records } as never,
    );
    expect(asked).toEqual([]);
    await arrays.next();
    await arrays.return({ records: 0 });
    expect(asked).toEqual([{ offset: 0, limit: 1000 }]);
  });
});
