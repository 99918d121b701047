import { LEFT_OUT, type Correction } from '#shared/domain/corrections.ts';
import type { Micros } from '#shared/values/time.ts';

/**
 * Lens: the corrections through which a device is read, and the devices whose history goes before its own, each read through a
 * lens of its own. Two readings through one lens object are through the same corrections.
 */
export interface Lens {
  /** The one created first comes first; of one kind the last one wins where several speak of the same. */
  readonly corrections: readonly Correction[];
  readonly formers: readonly Former[];
}

/** A device that another one replaced, up to and with `until` of its corrected time. */
export interface Former {
  readonly device: string;
  readonly until: Micros;
  /** Null: as it was stored. */
  readonly lens: Lens | null;
}

/** The records of a device as they were stored, by its id, or through a lens. */
export type Viewed = string | { readonly device: string; readonly lens: Lens };

export const idOf = (viewed: Viewed): string => (typeof viewed === 'string' ? viewed : viewed.device);

/** Every device that is read for a view: itself, then those before it, each followed by its own. */
export function devicesOf(viewed: Viewed): string[] {
  if (typeof viewed === 'string') return [viewed];
  return [viewed.device, ...formersOf(viewed).flatMap(devicesOf)];
}

/** The views of the devices before one, in the order of its lens. */
export function formersOf(viewed: Exclude<Viewed, string>): Viewed[] {
  return viewed.lens.formers.map(({ device, lens }) => (lens === null ? device : { device, lens }));
}

/**
 * Keys whose cells a lens may show otherwise than they were stored, of those that a device has; null where its records stand at other
 * times, or others go before them.
 */
export function touchedKeys({ corrections }: Lens, keys: readonly string[]): ReadonlySet<string> | null {
  const touched = new Set<string>();
  for (const each of corrections) {
    if (each.kind === 'time' || each.kind === 'replaced') return null;
    if (each.kind === 'quality' && !LEFT_OUT.has(each.quality)) continue;
    const named = each.kind === 'quality' ? (each.keys ?? keys) : [each.key];
    for (const key of named) touched.add(key);
  }
  return touched;
}
