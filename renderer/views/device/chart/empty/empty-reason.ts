import { isUplinkKey } from '#shared/domain/decoder-names.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { NEVER_SEEN, parseInstant, type Micros } from '#shared/values/time.ts';

export type EmptyReason =
  | { readonly kind: 'never-stored' }
  | { readonly kind: 'purged'; readonly at: Micros }
  | { readonly kind: 'removed' }
  | { readonly kind: 'not-decoded' }
  | { readonly kind: 'no-numbers'; readonly keys: readonly string[] }
  | { readonly kind: 'no-keys-picked' }
  | { readonly kind: 'out-of-range'; readonly range: string; readonly last: Micros | null };

interface Shown {
  /** Whether the service answered, and had no record in the range. */
  readonly nothing: boolean;
  /** Name of the range; null for all time. */
  readonly range: string | null;
  /** Keys picked. */
  readonly keys: number;
}

/** Why a chart has nothing to show; null when it has something, or may yet. */
export function whyEmpty(summary: DeviceSummary, { nothing, range, keys }: Shown): EmptyReason | null {
  if (summary.records === 0) {
    const purgedAt = summary.purged_at === null ? null : parseInstant(summary.purged_at);
    if (purgedAt !== null) return { kind: 'purged', at: purgedAt };
    return { kind: summary.last_seen === NEVER_SEEN ? 'never-stored' : 'removed' };
  }
  if (keys === 0 && summary.keys.every(({ key }) => isUplinkKey(key))) return { kind: 'not-decoded' };
  const texts = summary.keys.filter(({ numeric }) => numeric === 0);
  if (texts.length === summary.keys.length) return { kind: 'no-numbers', keys: texts.map(({ key }) => key) };
  if (keys === 0) return { kind: 'no-keys-picked' };
  if (nothing && range !== null)
    return { kind: 'out-of-range', range, last: summary.last === null ? null : parseInstant(summary.last) };
  return null;
}
