import { isOutside } from '#shared/operations/metadata/key-defaults.ts';
import type { FoundValue } from '#shared/operations/metadata/devices.ts';
import { formatMicros } from '#shared/values/time.ts';
import { idOf, type LatestValue, type RecordStore, type Value, type Viewed } from '../../store/store.ts';
import { isCorrected } from '../corrections/corrected-keys.ts';
import type { NormalRange, NormalRanges } from './normal-ranges.ts';

/** Longer texts are cut where many devices are listed. */
const MOST_CHARACTERS = 200;

/** Keys about the device itself rather than its measurements. */
const HOUSEKEEPING =
  /^(.*[._-])?(bat|batt|battery|vbat|voltage|rssi|snr|lqi|signal|uptime|up|boot|boots|heap|free|seq|sequence|counter|count|id|ts|time|lat|lon|latitude|longitude|alt|altitude|version|firmware|fw|ip|mac|ssid)([._-].*)?$/i;

export interface ValuesAsked {
  /** Absent: the first of each device's own. */
  readonly keys: readonly string[] | undefined;
  readonly most: number;
}

/** Reads the last values that a list shows of each of the devices. */
export async function readLastValues(
  devices: readonly Viewed[],
  { keys, most }: ValuesAsked,
  rangesOf: ReadonlyMap<string, NormalRanges>,
  records: RecordStore,
): Promise<readonly FoundValue[][]> {
  if (most === 0) return devices.map(() => []);
  const asked = keys?.slice(0, most) ?? null;
  const latest = await records.latest(devices.map((device) => ({ device, keys: asked })));
  return latest.map((values, i) => {
    const ranges = rangesOf.get(idOf(devices[i] ?? ''));
    const shown = asked === null ? firstOf(values, most, ranges) : values;
    return shown.map(({ key, value, timestamp }) => ({
      key,
      value: cutValue(value),
      timestamp: formatMicros(timestamp),
      outside: isBeyond(ranges, key, value),
      corrected: isCorrected(devices[i], key),
    }));
  });
}

function isBeyond(ranges: NormalRanges | undefined, key: string, value: Value): boolean {
  const range = ranges?.get(key);
  return range !== undefined && isOutside(value, range);
}

/** Last values of the keys of a device that have a normal range. */
interface Ranged {
  readonly device: Viewed;
  readonly ranges: NormalRanges;
  readonly values: readonly LatestValue[];
}

/** Reads the last values of all keys with a normal range; devices without one are left out. */
async function latestRanged(
  devices: readonly Viewed[],
  rangesOf: ReadonlyMap<string, NormalRanges>,
  records: RecordStore,
): Promise<readonly Ranged[]> {
  const asked = devices.flatMap((device) => {
    const ranges = rangesOf.get(idOf(device));
    return ranges ? [{ device, keys: [...ranges.keys()], ranges }] : [];
  });
  if (asked.length === 0) return [];
  const latest = await records.latest(asked);
  return asked.map(({ device, ranges }, i) => ({ device, ranges, values: latest[i] ?? [] }));
}

/** Resolves with the devices of which the last value of any key lies outside of its normal range. */
export async function readOutside(
  devices: readonly Viewed[],
  rangesOf: ReadonlyMap<string, NormalRanges>,
  records: RecordStore,
): Promise<ReadonlySet<string>> {
  const outside = new Set<string>();
  for (const { device, ranges, values } of await latestRanged(devices, rangesOf, records))
    if (values.some(({ key, value }) => isBeyond(ranges, key, value))) outside.add(idOf(device));
  return outside;
}

/** A last value, and whether it lies outside of its normal range. */
export interface JudgedValue extends LatestValue {
  readonly range: NormalRange;
  readonly outside: boolean;
  readonly corrected: boolean;
}

/** Resolves with the last values outside of their normal range, by device; of some devices with those inside, too. */
export async function readRanged(
  devices: readonly Viewed[],
  { isWhole }: { readonly isWhole: (device: string) => boolean },
  rangesOf: ReadonlyMap<string, NormalRanges>,
  records: RecordStore,
): Promise<ReadonlyMap<string, readonly JudgedValue[]>> {
  const found = new Map<string, readonly JudgedValue[]>();
  for (const { device, ranges, values } of await latestRanged(devices, rangesOf, records)) {
    const all = isWhole(idOf(device));
    const shown = values.flatMap((value): JudgedValue[] => {
      const range = ranges.get(value.key);
      const outside = isBeyond(ranges, value.key, value.value);
      const corrected = isCorrected(device, value.key);
      return range !== undefined && (outside || all) ? [{ ...value, range, outside, corrected }] : [];
    });
    if (shown.length > 0) found.set(idOf(device), shown);
  }
  return found;
}

/**
 * The values that tell most of a device that nobody chose keys for: what has a normal range, then what it measures, then
 * its states, then what it says of itself; by name, so that each stays in its place.
 */
function firstOf(
  values: readonly LatestValue[],
  most: number,
  ranges: NormalRanges | undefined,
): readonly LatestValue[] {
  const rank = ({ key, value }: LatestValue) =>
    ranges?.has(key) ? 0 : HOUSEKEEPING.test(key) ? 3 : typeof value === 'number' ? 1 : 2;
  return values
    .toSorted((a, b) => rank(a) - rank(b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .slice(0, most);
}

/** A value as it is listed: a long text is cut. */
export function cutValue(value: Value): Value {
  return typeof value === 'string' && value.length > MOST_CHARACTERS
    ? `${value.slice(0, MOST_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
    : value;
}
