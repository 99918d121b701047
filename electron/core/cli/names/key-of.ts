import type { InputOf, OperationId, OutputOf } from '#shared/operations/index.ts';
import type { View } from '#shared/domain/corrections.ts';
import { quote } from '#shared/values/validate.ts';
import { UsageError } from '../../base/errors.ts';
import { printable } from '../printable.ts';
import { nearestOf } from '../../base/slips.ts';

/** Keys that are named where none is nearly the one that was given. */
const MOST_NAMED = 8;

interface Place {
  readonly project_id: string;
  readonly device_id: string;
}

type Ask = <Id extends OperationId>(id: Id, input: InputOf<Id>) => Promise<OutputOf<Id>>;

/**
 * Resolves where a device has a key in a view, or settings of it, as one has that is yet to come. Throws UsageError, which names the keys that
 * are meant: to an operation a key that the device lacks is one without readings, and a slip of the keyboard would be answered as such.
 */
export async function requireKey(
  ask: Ask,
  { project_id, device_id }: Place,
  key: string,
  view: View,
): Promise<void> {
  const of = { project_id, device_id };
  const stored = (await ask('key-facts.list', { ...of, view })).map((facts) => facts.key);
  if (stored.includes(key)) return;
  const set = (await ask('key-settings.list', of)).map((settings) => settings.key);
  if (set.includes(key)) return;
  const known = [...new Set([...stored, ...set])];
  throw new UsageError(
    printable(`KEY must be a key of the device, got ${quote(key)}.${meantOf(key, known)}`),
  );
}

function meantOf(key: string, known: readonly string[]): string {
  if (known.length === 0) return ' It has none yet.';
  const nearest = nearestOf(key, known);
  if (nearest !== null) return ` Did you mean ${quote(nearest)}?`;
  const lower = key.toLowerCase();
  const like = known.filter((each) => each.toLowerCase().includes(lower));
  const named = (like.length > 0 ? like : known).slice(0, MOST_NAMED);
  const left = known.length - named.length;
  return ` It has ${named.map((each) => quote(each)).join(', ')}${left > 0 ? `, and ${left} more` : ''}.`;
}
