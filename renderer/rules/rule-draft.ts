import { leavesOf, ruleOf, type Leaf, type When } from '#shared/domain/rules.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { secondsText } from '#shared/values/duration.ts';
import { parseDuration } from '../components/facts/duration-words.ts';
import { actsDraft, actsWritten, NO_ACTS, type ActsDraft } from './acts-draft.ts';
import { leafDraft, leafWritten, NO_LEAF, TIME_RULE, type LeafDraft } from './leaf-draft.ts';

/* A rule as it is written in the form, and as the service takes it. */

/** Conditions within conditions, which a program wrote: the form keeps them as they are. */
interface KeptDraft {
  readonly id: string;
  readonly when: When;
}

export type ItemDraft = LeafDraft | KeptDraft;

export const isKept = (item: ItemDraft): item is KeptDraft => 'when' in item;

export interface RuleDraft {
  readonly name: string;
  /** Tag of the devices of a rule of the project; null: of one device. */
  readonly tag: string | null;
  /** Whether all of the conditions have to be true, or any of them. */
  readonly join: 'all' | 'any';
  readonly items: readonly ItemDraft[];
  /** For at least how long, as typed; empty: at once. */
  readonly lasts: string;
  readonly acts: ActsDraft;
  /** Whether values stand in what is sent. */
  readonly values: boolean;
}

export const LONGEST_NAME = 100;

/** A rule that is not written yet, on a key. */
export function newDraft(key: string, tag: string | null): RuleDraft {
  return {
    name: '',
    tag,
    join: 'all',
    items: [{ ...NO_LEAF, id: 'c0', key }],
    lasts: '',
    acts: NO_ACTS,
    values: false,
  };
}

interface Saved {
  readonly name: string;
  readonly condition: object | null;
}

/** The draft of a saved rule; one that is none, which the service says, is written anew. */
export function draftOf({ name, condition }: Saved, isOfTag: boolean): RuleDraft {
  const rule = ruleOf(condition);
  if (typeof rule === 'string') return { ...newDraft('', isOfTag ? '' : null), name };
  const { when, for_s, devices, acts, values } = rule;
  const [join, parts] =
    'all' in when
      ? (['all', when.all] as const)
      : 'any' in when
        ? (['any', when.any] as const)
        : (['all', [when]] as const);
  return {
    name,
    tag: isOfTag ? (devices?.tag ?? '') : null,
    join,
    items: parts.map((part, at) => itemOf(part, `c${at}`)),
    lasts: for_s === 0 ? '' : secondsText(for_s),
    acts: actsDraft(acts),
    values,
  };
}

const isLeaf = (when: When): when is Leaf => !('all' in when) && !('any' in when);

const itemOf = (when: When, id: string): ItemDraft => (isLeaf(when) ? leafDraft(when, id) : { id, when });

/** Adds a condition like the last one, on its key. */
export function withOneMore(items: readonly ItemDraft[]): readonly ItemDraft[] {
  const last = items.findLast((item) => !isKept(item));
  const id = `c${Math.max(-1, ...items.map((item) => Number(item.id.slice(1)))) + 1}`;
  return [...items, { ...NO_LEAF, id, key: last && !isKept(last) ? last.key : '' }];
}

/** A rule as its function has it. */
type Condition = NonNullable<DeviceFunction['condition']>;

/** Result of reading a draft. */
export interface Written {
  /** As functions.create takes it; what cannot be read is missing. */
  readonly condition: Condition;
  /** Faults, by field: `name`, `lasts`, `tag`, `c0.limit`, `webhook0`; what is of none by the empty text. */
  readonly problems: ReadonlyMap<string, string>;
  /** Field by path of what the service says of it. */
  readonly fields: ReadonlyMap<string, string>;
}

/** The rule that a draft says, and what is wrong with it: what cannot be read, then in the words of the service. */
export function written(draft: RuleDraft): Written {
  const { name, tag, join, items, lasts, acts, values } = draft;
  const problems = new Map<string, string>();
  const fields = new Map([['name', 'name']]);
  if (name.trim() === '') problems.set('name', 'A name, such as “Boiler too hot”.');
  if (tag !== null && tag.trim() === '') problems.set('tag', 'The tag of the devices.');
  const isAlone = items.length === 1;
  const parts = items.map((item, at) => {
    if (isKept(item)) return item.when;
    const { leaf, fields: ofLeaf, problems: unread } = leafWritten(item);
    for (const [field, problem] of unread) problems.set(`${item.id}.${field}`, problem);
    const path = isAlone ? 'condition.when' : `condition.when.${join}.${at}`;
    for (const [part, field] of Object.entries(ofLeaf)) fields.set(`${path}.${part}`, `${item.id}.${field}`);
    return leaf;
  });
  const for_s = lasts.trim() === '' ? 0 : parseDuration(lasts);
  if (for_s === null) problems.set('lasts', TIME_RULE);
  fields.set('condition.for_s', 'lasts').set('condition.devices.tag', 'tag');
  const done = actsWritten(acts);
  done.forEach(({ field }, at) => fields.set(`condition.acts.${at}`, field));
  // A draft holds texts, numbers and lists of them; what of it cannot be read has a problem above.
  const condition = {
    when: isAlone ? parts[0] : { [join]: parts },
    ...(for_s !== null && for_s > 0 && { for_s }),
    ...(tag !== null && { devices: { tag: tag.trim() } }),
    ...(done.length > 0 && { acts: done.map(({ act }) => act) }),
    ...(values && { values }),
  } as Condition;
  if (problems.size === 0 || (problems.size === 1 && problems.has('name'))) {
    const rule = ruleOf(condition);
    if (typeof rule === 'string') problems.set(...faultAt(rule, fields));
  }
  return { condition, problems, fields };
}

/** The field that a refusal is of, and what it says of that; of none the empty text, with all of it. */
export function faultAt(message: string, fields: Written['fields']): [field: string, words: string] {
  const path = [...fields.keys()]
    .filter((each) => message.startsWith(each) && /^[ .]/.test(message.slice(each.length)))
    .toSorted((a, b) => b.length - a.length)[0];
  if (path === undefined) return ['', message];
  // What lies deeper, as in an act, has its own name before its words.
  const words = message.slice(path.length).replace(/^(\.[\w]+)*\s*/, '');
  return [fields.get(path) ?? '', words];
}

/** Whether only its name is wrong, if anything: then it can be tried. */
export const canBeTried = ({ problems }: Written): boolean =>
  [...problems.keys()].every((field) => field === 'name');

export const isSame = (one: RuleDraft, other: RuleDraft): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Keys that a draft speaks of, in its order. */
export function keysOf({ items }: RuleDraft): readonly string[] {
  const keys = items.flatMap((item) =>
    isKept(item) ? leavesOf(item.when).map(({ key = '' }) => key) : [item.key.trim()],
  );
  return [...new Set(keys)].filter((key) => key !== '');
}

/** Keys that a saved condition speaks of; none where it is no rule. */
export function keysIn(condition: object | null): readonly string[] {
  const rule = ruleOf(condition);
  if (typeof rule === 'string') return [];
  return [...new Set(leavesOf(rule.when).flatMap(({ key }) => key ?? []))];
}

/** The tag of the devices that a condition is for; null where it is for one device, or is no rule. */
export function tagOf(condition: object | null): string | null {
  const rule = ruleOf(condition);
  return typeof rule === 'string' ? null : (rule.devices?.tag ?? null);
}
