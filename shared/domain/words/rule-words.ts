import { alternatives } from '../../values/text.ts';
import { secondsText } from '../../values/duration.ts';
import type { Act, Leaf, Rule, When } from '../rules.ts';

/*
 * A rule in words (docs/functions.md, "Rules"): `supply above 85 °C for 10 min`. What a key is called and how its values are
 * written is said by who asks; else both are as they are stored.
 */

type Value = string | number | boolean;

/** How keys and their values are written. */
export interface RuleCalled {
  readonly nameOf: (key: string) => string;
  /** A value with its unit: `85 °C`. */
  readonly valueOf: (key: string, value: Value) => string;
  /** The normal range: `18 to 27 °C`; null where the key has none, or it is another one for each device. */
  readonly normalOf: (key: string) => string | null;
}

const AS_STORED: RuleCalled = {
  nameOf: (key) => key,
  valueOf: (_key, value) => String(value),
  normalOf: () => null,
};

/** What a rule waits for: its condition, and for how long it has to be true. */
export function ruleWords({ when, for_s }: Pick<Rule, 'when' | 'for_s'>, called = AS_STORED): string {
  const words = whenWords(when, called);
  if (for_s === 0) return words;
  // A comma where the time would else be read as that of the last part.
  return `${words}${isPlain(when) ? '' : ','} for ${secondsText(for_s)}`;
}

/** A condition: `supply above 85 °C and (door is open or no record for 15 min)`. */
export function whenWords(when: When, called = AS_STORED): string {
  if ('all' in when) return joined(when.all, ' and ', called);
  if ('any' in when) return joined(when.any, ' or ', called);
  return leafWords(when, called);
}

function joined(parts: readonly When[], by: string, called: RuleCalled): string {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return whenWords(only, called);
  return parts
    .map((part) => (isGroup(part) ? `(${whenWords(part, called)})` : whenWords(part, called)))
    .join(by);
}

/** Whether it is of several conditions. */
const isGroup = (when: When): boolean =>
  ('all' in when && when.all.length > 1) || ('any' in when && when.any.length > 1);

/** Whether a time behind its words can only be its own. */
const isPlain = (when: When): boolean =>
  !('all' in when) && !('any' in when) && !('change' in when) && !('silent_s' in when) && !hasEnd(when);

const hasEnd = (leaf: Leaf): boolean => 'hysteresis' in leaf && (leaf.hysteresis ?? 0) > 0;

function leafWords(leaf: Leaf, called: RuleCalled): string {
  if ('silent_s' in leaf) {
    const what = leaf.key === undefined ? 'no record' : `no ${called.nameOf(leaf.key)}`;
    return `${what} for ${secondsText(leaf.silent_s)}`;
  }
  const name = called.nameOf(leaf.key);
  const value = (of: Value) => called.valueOf(leaf.key, of);
  if ('change' in leaf)
    return `${name} changes by more than ${value(leaf.change)} within ${secondsText(leaf.within_s)}`;
  if ('is' in leaf) return `${name} is ${alternatives([leaf.is].flat().map(value))}`;
  if ('above' in leaf) return `${name} above ${value(leaf.above)}${untilWords(leaf.above, -1, leaf, value)}`;
  if ('below' in leaf) return `${name} below ${value(leaf.below)}${untilWords(leaf.below, 1, leaf, value)}`;
  const { outside, hysteresis = 0 } = leaf;
  const inside = hysteresis > 0 ? `, until ${value(hysteresis)} inside of it` : '';
  if (outside === 'normal') {
    const range = called.normalOf(leaf.key);
    return `${name} outside its normal range${range === null ? '' : ` (${range})`}${inside}`;
  }
  const { low, high } = outside;
  if (low === undefined && high !== undefined)
    return `${name} above ${value(high)}${untilWords(high, -1, leaf, value)}`;
  if (high === undefined && low !== undefined)
    return `${name} below ${value(low)}${untilWords(low, 1, leaf, value)}`;
  return `${name} outside ${value(low ?? 0)} to ${value(high ?? 0)}${inside}`;
}

/** Digits that a sum of two limits leaves right. */
const DIGITS = 12;

/** Until which value a limit holds that was passed; nothing without hysteresis. */
function untilWords(
  limit: number,
  side: -1 | 1,
  { hysteresis = 0 }: { readonly hysteresis?: number | undefined },
  value: (of: number) => string,
): string {
  if (hysteresis === 0) return '';
  return `, until ${value(Number((limit + side * hysteresis).toPrecision(DIGITS)))}`;
}

/** What is done: `note, notification with a sound, webhook to example.org, mail to 2 people`; "nothing but the alarm". */
export function actsWords(acts: readonly Act[]): string {
  return acts.length === 0 ? 'nothing but the alarm' : acts.map(actWords).join(', ');
}

/** One act: `webhook to example.org`. */
export function actWords(act: Act): string {
  switch (act.do) {
    case 'note':
      return 'note';
    case 'notify':
      return act.sound === true ? 'notification with a sound' : 'notification';
    case 'webhook':
      return `webhook to ${hostOf(act.url)}`;
    case 'mqtt':
      return 'MQTT message';
    case 'mail':
      return act.to.length === 1 ? `mail to ${act.to[0]}` : `mail to ${act.to.length} people`;
  }
}

/** The host of an address: what stands behind it may be a secret. */
function hostOf(url: string): string {
  const [, host = ''] = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url) ?? [];
  return host;
}
