import type { Alerts, AlertedDevice, RangedValue } from '#shared/operations/metadata/alerts.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { durationText } from '../../components/facts/duration-words.ts';
import { formatValue, nameOfKey, normalText } from '../../components/facts/key-words.ts';
import { countOf, formatCount } from '../../format.ts';
import { formatClock, formatDay, formatLocal } from '../../time.ts';
import { silenceOf } from '#shared/domain/device-status.ts';
import type { Logged } from '../../stores/alerts/changes.ts';

/* What the list of alerts says. */

/** `2 alarms, 3 late, 1 outside`; empty where nothing is. `due`: alarms that are to be seen. */
export const counterText = ({ late, outside }: Pick<Alerts, 'late' | 'outside'>, due = 0): string =>
  [
    ...(due > 0 ? [countOf(due, 'alarm')] : []),
    ...(late > 0 ? [`${formatCount(late)} late`] : []),
    ...(outside > 0 ? [`${formatCount(outside)} outside`] : []),
  ].join(', ');

/** Of things that changed since somebody looked. */
export const newText = (changed: number): string => `${formatCount(changed)} new`;

/** Name of the counter for who does not see it: `Alerts: 3 late, 1 outside, 2 new since you last looked`. Null: nothing is known yet. */
export function counterName(
  counts: Pick<Alerts, 'late' | 'outside'> | null,
  changed: number,
  due = 0,
): string {
  const now = counts === null ? 'not known yet' : counterText(counts, due) || 'nothing late or outside';
  return `Alerts: ${now}${changed > 0 ? `, ${newText(changed)} since you last looked` : ''}`;
}

/** A row of the list: of what changed, or of what is as it was. */
export interface AlertRow {
  readonly kind: Logged['kind'];
  readonly device: AlertedDevice;
  readonly value: RangedValue | null;
  readonly words: string;
  /** Since when, or as of when. */
  readonly when: string;
  /** Span of the device's chart behind it. */
  readonly from: Micros;
  readonly to: Micros;
}

/** A longer time between two readings is said. */
const EXACT_US = 60e6;

export function rowOfChange(change: Logged, now: Micros): AlertRow {
  const { kind, device, value, at, after, times } = change;
  const often = times > 1 ? ` · changed ${formatCount(times)} times` : '';
  const when =
    at - after > EXACT_US
      ? `between ${timeText(after, now)} and ${timeText(at, now)}`
      : `since ${timeText(at, now)}`;
  const row = { kind, device, value, words: wordsOf(change) + often, when };
  return { ...row, ...spanOf(device, kind === 'late' ? lastSeen(device, at) : after, at) };
}

/** What is wrong with a device and was so when somebody looked last. */
export function rowOfState(device: AlertedDevice, value: RangedValue | null, now: Micros): AlertRow {
  if (value === null) {
    const at = parseInstant(device.late_since ?? '') ?? now;
    const words = wordsOf({ kind: 'late', device, value });
    const row = { kind: 'late' as const, device, value, words, when: `since ${timeText(at, now)}` };
    return { ...row, ...spanOf(device, lastSeen(device, at), at) };
  }
  const at = parseInstant(value.timestamp) ?? now;
  const words = wordsOf({ kind: 'outside', device, value });
  const row = { kind: 'outside' as const, device, value, words, when: `at ${timeText(at, now)}` };
  return { ...row, ...spanOf(device, at, at) };
}

const lastSeen = ({ last_seen }: AlertedDevice, other: Micros): Micros =>
  (last_seen === null ? null : parseInstant(last_seen)) ?? other;

function wordsOf({ kind, device, value }: Pick<Logged, 'kind' | 'device' | 'value'>): string {
  if (value !== null) {
    const name = nameOfKey(value.key, value);
    const shown = formatValue(value.value, value);
    const range = normalText(value);
    return `${name} ${shown}, ${kind === 'inside' ? 'back in' : 'outside'} its normal range, ${range}`;
  }
  const silence = durationText(silenceOf(device.interval_s) / 1e6);
  return kind === 'late' ? `Late: nothing for more than ${silence}` : 'Sends again, was late';
}

/** A time of day; of another day with its date. */
function timeText(at: Micros, now: Micros): string {
  const second = Math.floor(at / 1e6) * 1e6;
  return formatDay(at) === formatDay(now) ? formatClock(second) : formatLocal(second);
}

const LEAST_AROUND_US = 30 * 60e6;
const INTERVALS_AROUND = 20;

/** A span of a chart in which what happened can be seen. */
function spanOf(
  { interval_s }: AlertedDevice,
  from: Micros,
  to: Micros,
): { readonly from: Micros; readonly to: Micros } {
  const around = Math.max(LEAST_AROUND_US, INTERVALS_AROUND * (interval_s ?? 0) * 1e6);
  return { from: Math.floor(from - around), to: Math.ceil(to + around) };
}
