import { leavesOf, type Rule } from '#shared/domain/rules.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { Metadata } from '../../store/metadata/metadata.ts';
import { normalRangesOf, type NormalRanges, type OfDevices } from '../devices/normal-ranges.ts';

export const NO_RANGES: NormalRanges = new Map();

/** Resolves with the normal ranges of devices that a rule asks for, by device; none where it asks for none. */
export function rangesOf(
  { when }: Rule,
  of: OfDevices,
  metadata: Pick<Metadata, 'read'>,
): Awaitable<ReadonlyMap<string, NormalRanges>> {
  const isAsked = leavesOf(when).some((leaf) => 'outside' in leaf && leaf.outside === 'normal');
  return isAsked ? metadata.read((tables) => normalRangesOf(tables, of)) : new Map();
}
