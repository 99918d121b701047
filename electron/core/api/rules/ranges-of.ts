import type { Metadata } from '../../store/metadata/metadata.ts';
import type { NormalRange, NormalRanges } from '../devices/normal-ranges.ts';

const NONE: NormalRanges = new Map();

/** Resolves with the normal ranges of a device by key, where a rule asks for them. */
export async function rangesOf(
  device_id: string,
  isAsked: boolean,
  metadata: Pick<Metadata, 'read'>,
): Promise<NormalRanges> {
  if (!isAsked) return NONE;
  const settings = await metadata.read((tables) => tables.list('key_settings', { device_id }));
  return new Map<string, NormalRange>(
    settings.filter(({ low, high }) => low !== null || high !== null).map((each) => [each.key, each]),
  );
}
