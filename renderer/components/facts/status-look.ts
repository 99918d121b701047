import { silenceOf, statusOf, type DeviceStatus } from '#shared/domain/device-status.ts';
import type { Micros } from '#shared/values/time.ts';
import { durationText } from './duration-words.ts';
import { formatRelative, lastSeenOf } from '../../time.ts';

/** Facts for a device's status: of a list, or of the device itself. */
export interface Watched {
  readonly last_seen: string;
  readonly interval_s: number | null;
  /** The newest record's time; null without records. */
  readonly newest: string | null;
}

/**
 * As the service says it, but that a device is silent that has been late for more than a day, and a recording where files alone
 * brought its records.
 */
export type Look = DeviceStatus | 'silent' | 'recording';

export const LOOK_WORDS: Readonly<Record<Look, string>> = {
  online: 'Online',
  late: 'Late',
  silent: 'Silent',
  never: 'Never',
  recording: 'Recording',
};

const DAY_US = 86_400e6;

/** Returns the status of a device at a moment: no event tells when it becomes late. */
export function lookOf(device: Watched, now: Micros): Look {
  const seen = lastSeenOf(device);
  if (seen === null && device.newest !== null) return 'recording';
  const status = statusOf(seen, device.interval_s, now);
  return status === 'late' && seen !== null && now - seen > DAY_US ? 'silent' : status;
}

/** The whole of it, with the rule: `Late: last seen 3 hours ago. Late from 15 min of silence on, silent from a day on`. */
export function lookSentence(device: Watched, now: Micros): string {
  const seen = lastSeenOf(device);
  if (seen === null)
    return device.newest === null
      ? 'Never: nothing has come from it yet'
      : 'Recording: its records came from files';
  const silence = silenceOf(device.interval_s);
  const why = device.interval_s === null ? '' : ', twice its interval';
  const rule = `Late from ${durationText(silence / 1e6)} of silence on${why}`;
  const silent = silence < DAY_US ? ', silent from a day on' : '';
  return `${LOOK_WORDS[lookOf(device, now)]}: last seen ${formatRelative(seen, now)}. ${rule}${silent}`;
}

/** The rule for all devices, where they are looked for by it. */
export const LOOK_RULE =
  'Late: silent for longer than twice its interval, or than 15 min where it has none. Silent: for a day. Recording: its records came from files alone. Never: it has none.';
