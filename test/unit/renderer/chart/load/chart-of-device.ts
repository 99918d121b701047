import { vi } from 'vitest';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { formatMicros } from '#shared/values/time.ts';
import { deviceChart } from '../../../../../renderer/chart/load/data.ts';
import { PATIENTLY } from '../../../../helpers/patiently.ts';
import { device } from './counted-device.ts';

export const SECOND = 1e6;
/** What the device claims to have: above the number that is loaded one by one. */
export const MANY = 600_000;

export const sent = { project_id: 'p', device_id: 'd', keys: ['value'], view: 'corrected' } as const;
export const query = { ...sent, far: false };

export function summary(records = MANY): DeviceSummary {
  return {
    records,
    first: formatMicros(device.records[0]?.time ?? 0),
    last: formatMicros(device.records.at(-1)?.time ?? 0),
    last_seen: '2026-01-01T00:00:00Z',
    purged_at: null,
    source: 'http',
    interval_s: null,
    bytes: 0,
    keys: [{ key: 'value', count: records, numeric: records }],
  };
}

/** What the chart shows. */
export const state = () => deviceChart.useData.getState();
export const ready = () => vi.waitUntil(() => state().state === 'ready', PATIENTLY);
export const everySecond = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ time: i * SECOND, values: [i] }));

/** A chart that shows nothing yet, of a device with a record a second for ten minutes. */
export function begin(): void {
  vi.useRealTimers();
  deviceChart.leave();
  deviceChart.look({ window: null, width: 100 });
  device.records = everySecond(600);
  device.series = [];
  device.columns = [];
  device.gate = async () => {};
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
}
