import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { succeeded } from '#shared/schema/envelope.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { InputOf } from '#shared/operations/index.ts';
import type { ColumnPage } from '#shared/bridge/wire.ts';
import { subscribe } from './events.ts';

/** Records of one device in order of arrival, answered as the service does: newest first, in small pages. */
export const device = {
  arrived: [] as { time: number; value: number }[],
  /** Resolves before each page: holds loading up where a test wants it. */
  gate: async () => {},
  requests: 0,
};
const ROWS = 3;

/** In place of renderer/bridge/bridge.ts: the service that has this device alone. */
export const bridge = {
  subscribe,
  call: () => Promise.resolve(succeeded('read summary', 200, 'Summary read successfully.', summary())),
  async stream(
    _: 'chart.columns',
    { start = -Infinity, end = Infinity }: InputOf<'chart.columns'>,
    onPage: (page: ColumnPage) => void,
    { signal }: { signal?: AbortSignal } = {},
  ) {
    device.requests++;
    const rows = device.arrived
      .filter(({ time }) => time >= start && time <= end)
      .toReversed()
      .toSorted((a, b) => b.time - a.time);
    for (let offset = 0; offset < rows.length; offset += ROWS) {
      await device.gate();
      if (signal?.aborted) throw signal.reason;
      const page = rows.slice(offset, offset + ROWS);
      onPage({
        offset,
        total: rows.length,
        timestamps: Float64Array.from(page, ({ time }) => time),
        columns: [Float64Array.from(page, ({ value }) => value)],
      });
    }
    return succeeded('read columns', 200, 'Columns read successfully.', { records: rows.length });
  },
};

export function summary(): DeviceSummary {
  const times = device.arrived.map(({ time }) => time);
  return {
    records: times.length,
    first: times.length === 0 ? null : formatMicros(Math.min(...times)),
    last: times.length === 0 ? null : formatMicros(Math.max(...times)),
    last_seen: '2026-01-01T00:00:00Z',
    purged_at: null,
    source: 'http',
    interval_s: null,
    bytes: 0,
    keys: [{ key: 'value', count: times.length, numeric: times.length }],
  };
}

export const arrive = (...records: [time: number, value: number][]) =>
  device.arrived.push(...records.map(([time, value]) => ({ time, value })));

/** A device without records. */
export function empty(): void {
  device.arrived = [];
  device.gate = async () => {};
  device.requests = 0;
}
