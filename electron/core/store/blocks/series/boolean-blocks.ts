import { NUMBER } from '../block/cell-kind.ts';
import type { KeyTable } from '../block/key-table.ts';
import type { Run } from '../query/run.ts';

/*
 * Which blocks have booleans of a key: the index counts them as the numbers 1 and 0, but a calibration leaves them alone. A
 * block whose numbers have neither 0 nor 1 between them has none; of the others the column says so, once.
 */

/** Kind of the key's column by entry of its table. */
const looked = new WeakMap<KeyTable, Map<number, number>>();

/** Returns NUMBER where an entry of the index has no boolean; otherwise BOOLEAN, or MIXED where there may be both. */
export function kindOf(run: Run, keyTable: KeyTable, key: string, entry: number): number {
  if (!mayHaveBooleans(keyTable, entry)) return NUMBER;
  const known = looked.get(keyTable)?.get(entry);
  if (known !== undefined) return known;
  const kind = run.block(keyTable.blockOf(entry)).column(key)?.kind ?? NUMBER;
  if (run.isSettled) {
    const kinds = looked.get(keyTable) ?? new Map<number, number>();
    looked.set(keyTable, kinds.set(entry, kind));
  }
  return kind;
}

/** Whether an entry of the index leaves it open that some of its numbers are booleans. */
function mayHaveBooleans(keyTable: KeyTable, entry: number): boolean {
  const min = keyTable.minOf(entry);
  const max = keyTable.maxOf(entry);
  return (min <= 0 && max >= 0) || (min <= 1 && max >= 1);
}
