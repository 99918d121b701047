import {
  LEFT_OUT,
  type ClockCorrection,
  type Correction,
  type Replacement,
} from '#shared/domain/corrections.ts';
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

/** Keys that a correction speaks of; null: all, as of a clock or of a device that was replaced. */
export function keysOf(correction: Correction): readonly string[] | null {
  if (movesRows(correction)) return null;
  return correction.kind === 'quality' ? correction.keys : [correction.key];
}

/**
 * Keys whose cells a lens may show otherwise than they were stored, of those that a device has; null where its records stand at other
 * times, or others go before them.
 */
export function touchedKeys({ corrections }: Lens, keys: readonly string[]): ReadonlySet<string> | null {
  if (corrections.some(movesRows)) return null;
  const changing = corrections.filter((each) => each.kind !== 'quality' || LEFT_OUT.has(each.quality));
  return new Set(changing.flatMap((each) => keysOf(each) ?? keys));
}

const movesRows = (correction: Correction): correction is ClockCorrection | Replacement =>
  correction.kind === 'time' || correction.kind === 'replaced';
