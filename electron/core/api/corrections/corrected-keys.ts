import { keysOf, type Lens, type Viewed } from '../../store/lens.ts';

/** Keys that corrections of a lens speak of; null: all. */
type CorrectedKeys = ReadonlySet<string> | null;

const known = new WeakMap<Lens, CorrectedKeys>();

/** Whether any correction speaks of a key: of its values, or of all keys, as of a clock or of a device that was replaced. */
export function isCorrected(of: Viewed | undefined, key: string): boolean {
  if (of === undefined || typeof of === 'string') return false;
  const { lens } = of;
  const there = known.get(lens);
  const keys = there === undefined ? correctedKeys(lens) : there;
  if (there === undefined) known.set(lens, keys);
  return keys === null || keys.has(key);
}

function correctedKeys({ corrections }: Lens): CorrectedKeys {
  const keys = new Set<string>();
  for (const each of corrections) {
    const own = keysOf(each);
    if (own === null) return null;
    for (const key of own) keys.add(key);
  }
  return keys;
}
