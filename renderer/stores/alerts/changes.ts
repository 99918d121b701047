import { MOST_ALERTED } from '#shared/domain/alerts.ts';
import type { AlertedDevice, Alerts, RangedValue } from '#shared/operations/metadata/alerts.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';

/*
 * What changed between readings of `alerts.list`: a device became late or sends again, a value left its normal range or
 * came back. What came and went between two readings is not known here.
 */

export type ChangeKind = 'late' | 'back' | 'outside' | 'inside';

export interface Change {
  readonly kind: ChangeKind;
  readonly device: AlertedDevice;
  /** Of a value; null of a device that is late or sends again. */
  readonly value: RangedValue | null;
  /** When it was so at the latest. */
  readonly at: Micros;
  /** When it was otherwise last; the same as `at` where that is exact. */
  readonly after: Micros;
}

/** What was wrong with a device at a reading. */
interface Wrong {
  readonly isLate: boolean;
  /** Keys of which the last value lay outside. */
  readonly outside: readonly string[];
}

/** As much of a reading as the next one is held against. */
export interface Look {
  readonly at: Micros;
  /** Whether `wrong` has every device with which something was wrong. */
  readonly isWhole: boolean;
  /** By device; the newest first. */
  readonly wrong: ReadonlyMap<string, Wrong>;
}

/** The last change of a device or of a value, and how many there were. */
export interface Logged extends Change {
  readonly times: number;
}

/** Changes since somebody looked, by what changed; the last one last. */
export type Log = ReadonlyMap<string, Logged>;

/** Changed things of a log. */
export const MOST_LOGGED = 500;

const isWrong = ({ late_since, values }: AlertedDevice) =>
  late_since !== null || values.some(({ outside }) => outside);

const instantOf = (text: string): Micros => parseInstant(text) ?? 0;

/** Names a device, or one of its values: ids have no blank. */
export const subjectOf = (device_id: string, key: string | null) =>
  key === null ? device_id : `${device_id} ${key}`;

export function lookOf({ as_of, complete, devices }: Alerts): Look {
  const wrong = devices.filter(isWrong);
  return {
    at: instantOf(as_of),
    isWhole: complete && wrong.length <= MOST_ALERTED,
    wrong: new Map(
      wrong.slice(0, MOST_ALERTED).map(({ id, late_since, values }) => [
        id,
        {
          isLate: late_since !== null,
          outside: values.filter(({ outside }) => outside).map(({ key }) => key),
        },
      ]),
    ),
  };
}

const WELL: Wrong = { isLate: false, outside: [] };

/** The changes from one reading to the next, in the order of its devices. */
export function changesBetween(before: Look, alerts: Alerts): readonly Change[] {
  const now = instantOf(alerts.as_of);
  return alerts.devices.flatMap((device): Change[] => {
    const known = before.wrong.get(device.id);
    const was = known ?? WELL;
    // What an earlier answer had no room for is no news.
    const isNews = ({ at }: Change) => known !== undefined || before.isWhole || at > before.at;
    return [...changeOfDevice(device, was, before, now), ...changesOfValues(device, was, before)].filter(
      isNews,
    );
  });
}

function changeOfDevice(device: AlertedDevice, { isLate }: Wrong, before: Look, now: Micros): Change[] {
  const { late_since, last_seen } = device;
  if (late_since !== null) {
    const at = instantOf(late_since);
    return isLate ? [] : [{ kind: 'late', device, value: null, at, after: at }];
  }
  if (!isLate) return [];
  const seen = last_seen === null ? now : instantOf(last_seen);
  // One that may be silent for longer by now has sent nothing since.
  return [{ kind: 'back', device, value: null, at: seen > before.at ? seen : now, after: before.at }];
}

function changesOfValues(device: AlertedDevice, { outside }: Wrong, before: Look): Change[] {
  return device.values.flatMap((value): Change[] => {
    if (value.outside === outside.includes(value.key)) return [];
    const at = instantOf(value.timestamp);
    const kind = value.outside ? 'outside' : 'inside';
    return [{ kind, device, value, at, after: Math.min(before.at, at) }];
  });
}

/** Of which devices the next reading is to tell, whatever they are by then. */
export function devicesToAsk(look: Look | null, log: Log): readonly string[] {
  const ids = new Set([...(look?.wrong.keys() ?? []), ...[...log.values()].map(({ device }) => device.id)]);
  return [...ids].slice(0, MOST_ALERTED);
}

/** The log with what changed since the reading before; without what is gone: a device, or the range of a value. */
export function logged(log: Log, before: Look, alerts: Alerts, asked: readonly string[]): Log {
  const listed = new Map(alerts.devices.map((device) => [device.id, device]));
  const wanted = new Set(asked);
  const next = new Map<string, Logged>();
  for (const [subject, entry] of log) {
    const device = listed.get(entry.device.id);
    const isTold = wanted.has(entry.device.id);
    if (isTold && !hasStill(device, entry)) continue;
    next.set(subject, device ? { ...entry, device } : entry);
  }
  for (const change of changesBetween(before, alerts)) {
    const subject = subjectOf(change.device.id, change.value?.key ?? null);
    const times = (next.get(subject)?.times ?? 0) + 1;
    next.delete(subject);
    next.set(subject, { ...change, times });
  }
  return new Map([...next].slice(-MOST_LOGGED));
}

function hasStill(device: AlertedDevice | undefined, { value }: Logged): boolean {
  return device !== undefined && (value === null || device.values.some(({ key }) => key === value.key));
}
