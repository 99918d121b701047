import type { HandedDevice, HandedView, HandoverContent } from '#core/handover/content.ts';
import { packView } from '#core/handover/page/pack-view.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import type { View } from '#shared/domain/corrections.ts';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { formatMicros } from '#shared/values/time.ts';

/* Devices to hand over, made of rows, for tests of what they are handed over as. */

export type Row = readonly [timestamp: number, values: Readonly<Record<string, Value>>];

export interface DeviceDraft extends Partial<Omit<HandedDevice, 'facts' | 'views'>> {
  readonly facts?: Partial<HandedDevice['facts']>;
  readonly rows: readonly Row[];
  /** As corrections show them; absent: as they are. */
  readonly corrected?: readonly Row[];
  readonly excursions?: HandedView['excursions'];
}

export function contentOf(drafts: readonly DeviceDraft[]): HandoverContent {
  return { range: {}, devices: drafts.map(deviceOf) };
}

function deviceOf(
  { rows, corrected = rows, excursions = [], facts, ...rest }: DeviceDraft,
  place: number,
): HandedDevice {
  const names = [...new Set([...rows, ...corrected].flatMap(([, values]) => Object.keys(values)))].toSorted();
  return {
    facts: {
      id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
      name: `Device ${place + 1}`,
      description: '',
      project: { id: '00000000-0000-4000-8000-999999999999', name: 'Boiler room' },
      brand: '',
      model: '',
      source: 'http',
      tags: [],
      metadata: {},
      interval_s: null,
      created_at: '2026-01-01T00:00:00.000000Z',
      ...facts,
    },
    keys: names.map((key) => ({ key, ...NO_SETTINGS })),
    notes: [],
    corrections: [],
    history: [],
    touched: null,
    ...rest,
    views: { raw: viewOf('raw', rows, excursions), corrected: viewOf('corrected', corrected, excursions) },
  };
}

function viewOf(view: View, rows: readonly Row[], excursions: HandedView['excursions']): HandedView {
  const keys = [...new Set(rows.flatMap(([, values]) => Object.keys(values)))].toSorted();
  return {
    view,
    keys,
    records: rows.length,
    first: rows[0]?.[0] ?? null,
    last: rows.at(-1)?.[0] ?? null,
    statistics: keys.flatMap((key) => statisticsOf(key, rows)),
    excursions,
    pack: ({ keys: asked }, signal) => packView(scanOf(rows), asked, signal),
  };
}

async function* scanOf(rows: readonly Row[]): AsyncGenerator<readonly StoredRecord[]> {
  for (let at = 0; at < rows.length; at += 4_096)
    yield rows.slice(at, at + 4_096).map(([timestamp, values]) => ({
      timestamp,
      received: 0,
      keys: Object.keys(values),
      values: Object.values(values),
    }));
}

/** As far as a page shows them; none of a key without numbers. */
function statisticsOf(key: string, rows: readonly Row[]): readonly KeyStatistics[] {
  const numbers = rows.flatMap(([time, values]) => {
    const value = values[key];
    return typeof value === 'number' ? [{ time, value }] : [];
  });
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (!first || !last) return [];
  let [min, max, sum] = [Infinity, -Infinity, 0];
  for (const { value } of numbers)
    [min, max, sum] = [Math.min(min, value), Math.max(max, value), sum + value];
  const nothing = {
    texts: 0,
    sd: null,
    p5: null,
    p95: null,
    percentile_error: 0,
    gaps: 0,
    longest_gap_us: null,
  };
  return [
    {
      key,
      count: numbers.length,
      ...nothing,
      min,
      max,
      mean: sum / numbers.length,
      percentiles: 'exact',
      first: first.value,
      last: last.value,
      first_time: formatMicros(first.time),
      last_time: formatMicros(last.time),
      below: null,
      above: null,
      rate_per_s: null,
    },
  ];
}
