import type { CompareMode } from '../../chart/compare/modes.ts';
import type { Compared } from '../../chart/compare/compared.ts';
import { keysOf } from '../../chart/compare/use-comparison.ts';

/** Devices and keys of which less is drawn than was chosen, in sentences; none where all is. */
export function lacksOf(
  devices: readonly Compared[],
  keys: readonly string[],
  mode: CompareMode,
  nameOf: (key: string) => string,
): readonly string[] {
  const lines = devices.flatMap((device) => {
    const own = keysOf(device, keys);
    const missing = keys.filter((key) => !own.includes(key)).map((key) => `“${nameOf(key)}”`);
    return missing.length === 0 ? [] : [`“${device.label}” has no numbers of ${missing.join(', ')}.`];
  });
  if (mode !== 'difference' || keys.length === 0) return lines;
  const [first, ...others] = devices;
  const isTaken = (key: string) =>
    first && keysOf(first, [key]).length > 0 && others.some((device) => keysOf(device, [key]).length > 0);
  if (keys.some(isTaken)) return lines;
  return [...lines, 'A difference is drawn of a key that the first device and another one have.'];
}
