import { readoutOf, type ReadValue, type Readout } from '../controls/legend/readings.ts';
import { differenceOf, heldOf, lineOfDifference, type Difference } from './difference.ts';
import { askedOf, moved, shiftedBy } from './shift.ts';
import type { ChartLine } from '../draw/chart-line.ts';
import type { Drawing, Line } from '../draw/line.ts';
import { drawPicture } from '../draw/picture.ts';
import type { ChartData } from '../load/loader.ts';
import { LOOKS } from '../plot/palette.ts';
import type { Bounds } from '../records/columns.ts';
import { groupAxes } from '../scale/group-axes.ts';
import type { TimeSpan } from '../time/window.ts';
import { nameOfKey } from '../../components/facts/key-words.ts';
import type { SettingsOf } from '../../stores/key-settings.ts';
import { MOST_LINES } from './modes.ts';
import type { Compared } from './compared.ts';

/** A device, what has come of its data, and how far it is moved in time. */
export interface Side {
  readonly device: Compared;
  readonly data: ChartData;
  /** The keys that its data has, in their order. */
  readonly keys: readonly string[];
  /** µs. */
  readonly offset: number;
}

/** A line, and the device and the place among its keys that it is of; for a difference the one that is taken away, too. */
export interface ComparedLine {
  readonly line: ChartLine;
  readonly side: number;
  readonly place: number;
  readonly minus: { readonly side: number; readonly place: number } | null;
}

/** What a device is asked for of a window of the comparison, in its own time; null is all of it. */
export function windowOf({ data, offset }: Side, window: TimeSpan): TimeSpan | null {
  return askedOf(shiftedBy(window, -offset), data.whole);
}

type Found = Omit<ComparedLine, 'line'> & { readonly key: string };

const NOTHING: Line = { times: [], values: [], starts: [], dots: [], min: Infinity, max: -Infinity };
const NO_BOUNDS: Bounds = { min: Infinity, max: -Infinity };

/** The lines of the devices' keys, or what the first device's are above those of the others. */
export function comparedLines(
  sides: readonly Side[],
  keys: readonly string[],
  isDifference: boolean,
  settingsOf: SettingsOf,
): readonly ComparedLine[] {
  const found = keys.flatMap((key): Found[] => {
    const having = sides.flatMap(({ keys: own }, side) => {
      const place = own.indexOf(key);
      return place === -1 ? [] : { side, place };
    });
    if (!isDifference) return having.map((one) => ({ ...one, key, minus: null }));
    const [first, ...others] = having;
    return first?.side === 0 ? others.map((minus) => ({ ...first, key, minus })) : [];
  });
  const shown = found.slice(0, MOST_LINES);
  const boundsOf = ({ side, place }: Found) => (isDifference ? undefined : sides[side]?.data.bounds[place]);
  const axes = groupAxes(
    shown.map((one) => {
      const { side, key } = one;
      const { unit, axis } = settingsOf(sides[side]?.device.device_id ?? '', key);
      // Until a device's data has come it counts as like the others': an axis for nothing would change the plot's width.
      const others = shown.filter((other) => other.key === key);
      return {
        bounds: boundsOf(one) ?? others.map(boundsOf).find((known) => known !== undefined) ?? NO_BOUNDS,
        unit,
        wanted: axis,
      };
    }),
  );
  return shown.map(({ side, place, key, minus }, index) => {
    const device = sides[side]!.device;
    const settings = settingsOf(device.device_id, key);
    const other = minus && sides[minus.side]!.device;
    const who = other ? `${device.label} − ${other.label}` : device.label;
    const line: ChartLine = {
      id: `${device.device_id} ${other?.device_id ?? ''} ${key}`,
      device_id: device.device_id,
      key,
      label: keys.length > 1 ? labelOf(who, nameOfKey(key, settings), minus !== null) : who,
      unit: settings.unit,
      look: index % LOOKS,
      axis: axes[index] ?? 'left',
    };
    return { line, side, place, minus };
  });
}

/** The first device is that of all differences: what tells them apart stands at the ends, which are never cut. */
function labelOf(who: string, key: string, isDifference: boolean): string {
  return isDifference ? `${key} · ${who}` : `${who} · ${key}`;
}

/** The differences in a window, one a line; null for a line that is none, or while data is missing. */
export function differencesOf(
  sides: readonly Side[],
  lines: readonly ComparedLine[],
  window: TimeSpan,
): readonly (Difference | null)[] {
  return lines.map(({ side, place, minus }) => {
    const [first, second] = [sides[side], minus && sides[minus.side]];
    if (!first?.data.picture || !second?.data.picture || !minus) return null;
    return differenceOf(
      heldOf(first.data.picture, place, first.offset, window),
      heldOf(second.data.picture, minus.place, second.offset, window),
    );
  });
}

/** What is painted of the lines in a window. */
export function drawLines(
  sides: readonly Side[],
  lines: readonly ComparedLine[],
  differences: readonly (Difference | null)[],
  window: TimeSpan,
  width: number,
): Drawing {
  const drawn = sides.map(({ data, offset }) =>
    data.picture ? moved(drawPicture(data.picture, shiftedBy(window, -offset), width), offset) : [],
  );
  return lines.map(({ side, place, minus }, index) => {
    const difference = differences[index];
    if (minus) return difference ? lineOfDifference(difference, window, width) : NOTHING;
    return drawn[side]?.[place] ?? NOTHING;
  });
}

/** What the lines read at an instant, or (null) what is newest of each. */
export function readLines(
  sides: readonly Side[],
  lines: readonly ComparedLine[],
  differences: readonly (Difference | null)[],
  instant: number | null,
): Readout | null {
  const readouts = sides.map(({ data, offset }) => {
    const readout = readoutOf(data.picture, data.newest, instant === null ? null : instant - offset);
    if (!readout) return null;
    const { from, to, values } = readout;
    return { from: from + offset, to: to === null ? null : to + offset, values };
  });
  const known = readouts.filter((readout) => readout !== null);
  const [first] = known;
  if (!first) return null;
  const values = lines.map(({ side, place, minus }, index): ReadValue => {
    if (minus) return readDifference(differences[index] ?? null, instant);
    return readouts[side]?.values[place] ?? { numbers: [], age: null };
  });
  if (instant === null) return { from: Math.max(...known.map(({ from }) => from)), to: null, values };
  const closest = known.reduce((best, one) =>
    Math.abs(one.from - instant) < Math.abs(best.from - instant) ? one : best,
  );
  return { from: closest.from, to: closest.to, values };
}

/** The difference that holds at an instant. */
function readDifference(difference: Difference | null, instant: number | null): ReadValue {
  if (!difference) return { numbers: [], age: null };
  const { times, values } = difference;
  const at = instant === null ? times.length - 1 : times.findLastIndex((time) => time <= instant);
  const value = values[Math.max(0, at)];
  return { numbers: value === undefined ? [] : [value], age: null };
}
