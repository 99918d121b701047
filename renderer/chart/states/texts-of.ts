import { isUplinkKey } from '#shared/domain/decoder-names.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';

/** Returns the keys whose texts are states; how a payload came is none. */
export const textsOf = ({ keys }: Pick<DeviceSummary, 'keys'>): string[] =>
  keys.flatMap(({ key, count, numeric }) => (count > numeric && !isUplinkKey(key) ? key : []));

/** How many strips there will probably be: room for them is made before they are there. */
export const expectedStrips = (summary: Pick<DeviceSummary, 'keys'>): number => textsOf(summary).length;
