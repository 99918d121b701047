import type { Lens, Viewed } from '../../store/lens.ts';

/** Keys that a lens speaks of; null: of all of them. */
type Touched = ReadonlySet<string> | null;

const known = new WeakMap<Lens, Touched>();

/** Whether any correction speaks of a key: of its values, or of all keys, as of a clock or of a device that was replaced. */
export function isTouched(of: Viewed | undefined, key: string): boolean {
  if (of === undefined || typeof of === 'string') return false;
  const { lens } = of;
  const there = known.get(lens);
  const touched = there === undefined ? touchedBy(lens) : there;
  if (there === undefined) known.set(lens, touched);
  return touched === null || touched.has(key);
}

function touchedBy({ corrections }: Lens): Touched {
  const keys = new Set<string>();
  for (const each of corrections) {
    if (each.kind === 'time' || each.kind === 'replaced') return null;
    if (each.kind !== 'quality') keys.add(each.key);
    else if (each.keys === null) return null;
    else for (const key of each.keys) keys.add(key);
  }
  return keys;
}
