import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';

/** The corrections of the values of one key; those of times are of all keys, and said once. */
export const ofKey = (list: readonly ShownCorrection[], key: string): readonly ShownCorrection[] =>
  list.filter(({ kind, key: own, keys }) => {
    if (kind === 'quality') return keys === null || keys === undefined || keys.includes(key);
    return (kind === 'calibration' || kind === 'derived') && own === key;
  });

/** The corrections that speak of any of these keys, or, as one of times or of a replaced device, of all. */
export const touching = (
  list: readonly ShownCorrection[],
  keys: readonly string[],
): readonly ShownCorrection[] =>
  list.filter(
    (each) =>
      each.kind === 'time' || each.kind === 'replaced' || keys.some((key) => ofKey([each], key).length > 0),
  );
