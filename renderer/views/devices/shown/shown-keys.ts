import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { shortValue } from '../../../components/facts/key-words.ts';
import { shownName } from '../../../components/facts/shown-name.ts';
import { decimalsOf } from '../../../numbers.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';

const MOST_KEYS = 3;
/** So much of the values must be of keys that have columns, else each row names its own. */
const MOSTLY = 0.75;
/** A key that fewer devices show, beside the most common one, would be a column of empty cells. */
const NOT_RARE = 0.25;

const byCount = <Key extends { readonly count: number }>(seen: ReadonlyMap<string, Key>) =>
  [...seen].toSorted(([, a], [, b]) => b.count - a.count);
const placeOf = ({ count, places }: { count: number; places: number }) => places / count;

/**
 * The keys that most devices show, which then have columns of their own, in the order in which the devices have them; none
 * where devices have little in common.
 */
export function commonKeys(devices: readonly FoundDevice[]): readonly string[] {
  const seen = new Map<string, { count: number; places: number }>();
  let all = 0;
  for (const { values } of devices)
    for (const [place, { key }] of values.entries()) {
      const { count, places } = seen.get(key) ?? { count: 0, places: 0 };
      seen.set(key, { count: count + 1, places: places + place });
      all++;
    }
  const common = byCount(seen).slice(0, MOST_KEYS);
  const least = (common[0]?.[1].count ?? 0) * NOT_RARE;
  const most = common.filter(([, { count }]) => count >= least);
  const covered = most.reduce((sum, [, { count }]) => sum + count, 0);
  if (all === 0 || covered < all * MOSTLY) return [];
  return most.toSorted(([, a], [, b]) => placeOf(a) - placeOf(b)).map(([key]) => key);
}

/** Format of a column's numbers. */
export interface WrittenAs {
  readonly decimals: number;
  /** Characters of the longest one with its unit. */
  readonly length: number;
  /** Characters from the point on of the longest one; 0 where all have as many. */
  readonly tail: number;
}

/** Devices whose values tell the decimals of all: more would be felt at each value that comes in. */
const LOOKED_AT = 500;

/** Returns the format of a key's last values, so that they stand under each other and none is cut. */
export function writtenAs(devices: readonly FoundDevice[], key: string, settingsOf: SettingsOf): WrittenAs {
  const numbers: { readonly id: string; readonly value: number }[] = [];
  for (const { id, values } of devices) {
    const value = values.find((one) => one.key === key)?.value;
    if (typeof value === 'number') numbers.push({ id, value });
  }
  const decimals = decimalsOf(numbers.slice(0, LOOKED_AT).map(({ value }) => value));
  let [least, most] = [numbers[0], numbers[0]];
  for (const one of numbers) {
    if (one.value < (least?.value ?? 0)) least = one;
    if (one.value > (most?.value ?? 0)) most = one;
  }
  const texts = [...numbers.slice(0, LOOKED_AT), least, most].flatMap((one) =>
    one ? shortValue(one.value, settingsOf(one.id, key), decimals) : [],
  );
  return { decimals, ...lengthsOf(texts) };
}

/** Lengths of texts that stand under each other at their decimal point. */
export function lengthsOf(texts: readonly string[]): Pick<WrittenAs, 'length' | 'tail'> {
  let [head, longest, shortest] = [0, 0, Infinity];
  for (const text of texts) {
    const tail = tailOf(text).length;
    head = Math.max(head, text.length - tail);
    longest = Math.max(longest, tail);
    shortest = Math.min(shortest, tail);
  }
  return { length: head + longest, tail: longest === shortest ? 0 : longest };
}

/** The end of a number's text: from its decimal point on, without one its unit. */
export const tailOf = (text: string): string => /\.\d.*$|\u00A0.*$/s.exec(text)?.[0] ?? '';

/** Parts of a letter's height that it is wide: of most scripts, and of those that write in squares. */
const LETTER = 0.58;
const SQUARE = 1;
const isSquare = /[\u1100-\u11FF\u2E80-\uA4CF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFF60]/gu;
const NAME_PX = 14;
const TAG_PX = 11;
/** A mark, and what lies beside a text. */
const AROUND_NAME = 44;
const NAME_WIDTHS = { least: 120, most: 340 };

/** Pixels that the names and tags of devices take, within limits. */
export function nameWidth(devices: readonly FoundDevice[]): number {
  let width = NAME_WIDTHS.least;
  const look = (text: string, size: number, around: number) => {
    // Few texts are longer than the longest so far: their letters alone are looked at.
    if (text.length * size * SQUARE + around <= width) return;
    const squares = text.match(isSquare)?.length ?? 0;
    const letters = (text.length - squares) * LETTER + squares * SQUARE;
    width = Math.max(width, Math.ceil(letters * size) + around);
  };
  for (const { name, tags } of devices) {
    if (width >= NAME_WIDTHS.most) break;
    look(shownName(name), NAME_PX, AROUND_NAME);
    if (tags.length > 0) look(tags.slice(0, MOST_TAGS).join('  '), TAG_PX, AROUND_NAME);
  }
  return Math.min(NAME_WIDTHS.most, width);
}

/** Tags of a device that its row shows. */
export const MOST_TAGS = 4;
