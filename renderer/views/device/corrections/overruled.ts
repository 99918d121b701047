import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { parseInstant } from '#shared/values/time.ts';

interface Reach {
  readonly from: number;
  readonly to: number;
}

const reachOf = ({ from, to }: ShownCorrection): Reach => ({
  from: parseInstant(from ?? '') ?? -Infinity,
  to: parseInstant(to ?? '') ?? Infinity,
});

/** Keys that a correction speaks of; null: all. */
const keysOf = ({ key, keys }: ShownCorrection): readonly string[] | null =>
  key === undefined ? (keys ?? null) : [key];

/**
 * Of a kind the newest correction holds where several speak of the same moment and key. Returns how much of each correction
 * such a newer one takes: all of it, or a part; those that hold whole are not in it.
 */
export function overruled(list: readonly ShownCorrection[]): ReadonlyMap<string, 'all' | 'part'> {
  const found = new Map<string, 'all' | 'part'>();
  for (const [place, correction] of list.entries()) {
    const { kind } = correction;
    if (kind === 'replaced' || kind === 'derived') continue;
    const [reach, keys] = [reachOf(correction), keysOf(correction)];
    for (const newer of list.slice(place + 1)) {
      if (newer.kind !== kind) continue;
      const [over, others] = [reachOf(newer), keysOf(newer)];
      const isSameKey = keys === null || others === null || keys.some((key) => others.includes(key));
      if (!isSameKey || over.from > reach.to || over.to < reach.from) continue;
      const isOfAll = others === null || (keys !== null && keys.every((key) => others.includes(key)));
      const isWhole = isOfAll && over.from <= reach.from && over.to >= reach.to;
      if (isWhole || !found.has(correction.id)) found.set(correction.id, isWhole ? 'all' : 'part');
      if (isWhole) break;
    }
  }
  return found;
}
