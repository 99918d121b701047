import { SOURCES, type Source } from '#shared/domain/sources.ts';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { isFound } from '#shared/values/text.ts';
import type { Micros } from '#shared/values/time.ts';
import { lookOf, type Look } from '../../../components/facts/status-look.ts';

/*
 * What a list of devices is narrowed by, as a person types it and as the address has it:
 * `status:late tag:line-3 tag:a,b -tag:x source:mqtt pump 4`. A value with a blank stands in quotes.
 */

/** Words for the filter by status; late includes silent. */
export const STATUS_WORDS = ['online', 'late', 'silent', 'recording', 'never', 'outside'] as const;
export type StatusWord = (typeof STATUS_WORDS)[number];

/** One condition. */
export type Condition =
  | { readonly field: 'status'; readonly values: readonly StatusWord[] }
  | { readonly field: 'source'; readonly values: readonly Source[] }
  /** One of these tags; `not`: none of them. */
  | { readonly field: 'tag'; readonly not: boolean; readonly values: readonly string[] };

export interface DeviceFilter {
  readonly conditions: readonly Condition[];
  /** Words to be found. */
  readonly words: string;
}

const TOKEN = /(-?[a-z]+:(?:"[^"]*"|[^\s"])+)|"[^"]*"|\S+/gi;

/** Reads what somebody typed. What is no condition is words. */
export function parseFilter(text: string): DeviceFilter {
  const conditions: Condition[] = [];
  const words: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const condition = parseCondition(token);
    if (condition) conditions.push(condition);
    else words.push(token);
  }
  return { conditions, words: words.join(' ') };
}

function parseCondition(token: string): Condition | null {
  const [, minus = '', field = '', rest = ''] = /^(-?)([a-z]+):(.+)$/i.exec(token) ?? [];
  const values = valuesOf(rest);
  if (values.length === 0) return null;
  const lower = values.map((value) => value.toLowerCase());
  if (field.toLowerCase() === 'tag') return { field: 'tag', not: minus === '-', values };
  if (minus) return null;
  if (field.toLowerCase() === 'status' && lower.every(isOneOf(STATUS_WORDS)))
    return { field: 'status', values: lower };
  if (field.toLowerCase() === 'source' && lower.every(isOneOf(SOURCES)))
    return { field: 'source', values: lower };
  return null;
}

const isOneOf =
  <T extends string>(all: readonly T[]) =>
  (text: string): text is T =>
    (all as readonly string[]).includes(text);

/** `a,"b c"` as its values. */
function valuesOf(text: string): string[] {
  const values = [...text.matchAll(/"([^"]*)"|[^",]+/g)].map(([whole, quoted]) => (quoted ?? whole).trim());
  return [...new Set(values.filter(Boolean))];
}

/** The text that `parseFilter` reads as this condition. */
export function conditionText(condition: Condition): string {
  const minus = condition.field === 'tag' && condition.not ? '-' : '';
  const values = condition.values.map((value) => (/[\s,]/.test(value) ? `"${value}"` : value));
  return `${minus}${condition.field}:${values.join(',')}`;
}

export function filterText({ conditions, words }: DeviceFilter): string {
  return [...conditions.map(conditionText), words.trim()].filter(Boolean).join(' ');
}

/** Whether a device is one of those that are looked for, as things are now. */
export function deviceMatcher(
  { conditions, words }: DeviceFilter,
  now: Micros,
): (device: FoundDevice) => boolean {
  return (device) => conditions.every((condition) => meets(device, condition, now)) && isFound(words, device);
}

function meets(device: FoundDevice, condition: Condition, now: Micros): boolean {
  switch (condition.field) {
    case 'tag':
      return condition.values.some((tag) => device.tags.includes(tag)) !== condition.not;
    case 'source':
      return condition.values.includes(device.source);
    case 'status': {
      const look = lookOf(device, now);
      return condition.values.some((word) => (word === 'outside' ? device.outside : isLook(look, word)));
    }
  }
}

const isLook = (look: Look, word: Exclude<StatusWord, 'outside'>) =>
  look === word || (word === 'late' && look === 'silent');

/** The filter with a value of a field added to its condition, or taken away. */
export function toggled(
  filter: DeviceFilter,
  field: Condition['field'],
  value: string,
  not = false,
): DeviceFilter {
  const { conditions, words } = filter;
  const isIts = (each: Condition) => each.field === field && (each.field !== 'tag' || each.not === not);
  const its = conditions.find(isIts);
  const before: readonly string[] = its?.values ?? [];
  const values = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
  const text = values.length > 0 ? conditionTextOf(field, values, not) : '';
  const changed = parseFilter(text).conditions;
  const others = conditions.flatMap((each) => (each === its ? changed : [each]));
  return { conditions: its ? others : [...conditions, ...changed], words };
}

const conditionTextOf = (field: Condition['field'], values: readonly string[], not: boolean) =>
  conditionText({ field, values, not } as Condition);
