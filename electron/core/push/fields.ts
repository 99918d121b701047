import { hash } from 'node:crypto';
import type { FieldChange } from '#shared/operations/records/push.ts';

/** Fields of a project or a device by name: JSON values. */
export type Fields = Readonly<Record<string, unknown>>;
/** Baseline of fields: a mark (`markOf`) of each when both sides last had the same. */
export type Marks = Readonly<Record<string, string>>;

/**
 * The fields in which the two sides differ. Where one side changed a field since both agreed, that one's stays; where both
 * did, or they never agreed, it is the lab's, or this side's if so chosen. A field that the lab does not know yet is left out.
 */
export function fieldChanges(
  here: Fields,
  there: Fields,
  baseline: Marks | null,
  prefers: 'lab' | 'here',
): readonly FieldChange[] {
  return knownTo(there, here).flatMap((field) => {
    const [own, other] = [canonical(here[field]), canonical(there[field])];
    if (own === other) return [];
    const base = baseline?.[field];
    const changed = base === markOf(there[field]) ? 'here' : base === markOf(here[field]) ? 'there' : 'both';
    const stays = changed === 'both' ? (prefers === 'lab' ? 'there' : 'here') : changed;
    return [{ field, here: own, there: other, changed, stays }];
  });
}

/** Names of the fields that the other side has, too. */
export const knownTo = (there: Fields, here: Fields): readonly string[] =>
  Object.keys(here).filter((field) => there[field] !== undefined);

/** JSON that is the same for the same value: names of objects in the order of code units. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

/** Names a value, in 16 characters. */
const markOf = (value: unknown) => hash('sha256', canonical(value), 'hex').slice(0, 16);

export const marksOf = (fields: Fields): Marks =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, markOf(value)]));
