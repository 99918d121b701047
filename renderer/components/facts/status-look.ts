import { statusOf, type DeviceStatus } from '#shared/device-status.ts';
import type { Micros } from '#shared/time.ts';
import { formatRelative, lastSeenOf } from '../../time.ts';

/** What tells how a device is: of a list, or of the device itself. */
export interface Watched {
  readonly last_seen: string;
  readonly interval_s: number | null;
}

/** As the service says it, but that a device is silent that has been late for more than a day. */
export type Look = DeviceStatus | 'silent';

export const LOOK_WORDS: Readonly<Record<Look, string>> = {
  online: 'Online',
  late: 'Late',
  silent: 'Silent',
  never: 'Never',
};

const DAY_US = 86_400e6;

/** How a device is at a moment: nothing tells when it becomes late. */
export function lookOf(device: Watched, now: Micros): Look {
  const seen = lastSeenOf(device);
  const status = statusOf(seen, device.interval_s, now);
  return status === 'late' && seen !== null && now - seen > DAY_US ? 'silent' : status;
}

/** The whole of it: `Late: last seen 3 hours ago`. */
export function lookSentence(device: Watched, now: Micros): string {
  const seen = lastSeenOf(device);
  if (seen === null) return 'Never: nothing has come from it yet';
  return `${LOOK_WORDS[lookOf(device, now)]}: last seen ${formatRelative(seen, now)}`;
}
