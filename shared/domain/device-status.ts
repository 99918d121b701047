import type { Micros } from '../values/time.ts';

/** Statuses, the most urgent first. */
export const STATUSES = ['late', 'never', 'online'] as const;
export type DeviceStatus = (typeof STATUSES)[number];

/** How long a device may be silent that does not say how often it sends. */
const USUAL_SILENCE: Micros = 15 * 60_000_000;
/** One record may be lost. */
const INTERVALS = 2;

/** Returns how long a device may be silent and is still online. */
export function silenceOf(interval_s: number | null): Micros {
  return interval_s === null ? USUAL_SILENCE : INTERVALS * interval_s * 1_000_000;
}

/** Whether a device stores as often as it should (docs/local-api.md, "Status of a device"); `lastSeen` null for never. */
export function statusOf(lastSeen: Micros | null, interval_s: number | null, now: Micros): DeviceStatus {
  if (lastSeen === null) return 'never';
  return now - lastSeen <= silenceOf(interval_s) ? 'online' : 'late';
}
