import { useEffect, useMemo, useState } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import { isUplinkKey } from '#shared/domain/decoder-names.ts';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import { readSeries } from '../../../chart/load/read.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { defaultKeys, FIRST_KEYS, variationBetween } from './default-keys.ts';

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly view: View;
  /** The keys that carry numbers. */
  readonly numeric: readonly string[];
  /** State in the address. */
  readonly picked: readonly string[] | undefined;
  readonly settingsOf: SettingsOf;
}

/** Keys of a device whose numbers are looked at to find those that vary. */
const MOST_LOOKED_AT = 256;
const KEYS_A_QUESTION = 64;

/**
 * The keys in the legend: those of the address, as far as there are any; else those that were shown of this device the
 * last time; else the ones that somebody has named, and those that vary most. Null while that is being found out.
 */
export function useLegendKeys({
  project_id,
  device_id,
  view,
  numeric,
  picked,
  settingsOf,
}: Asked): readonly string[] | null {
  // They count where the address says nothing.
  const remembered = useMemo(
    () => (picked === undefined ? readRemembered(device_id) : undefined),
    [device_id, picked],
  );
  const [asked, known] = [picked, remembered].map((keys) => keys?.filter((key) => numeric.includes(key)));
  const isAsked = picked !== undefined && (picked.length === 0 || (asked?.length ?? 0) > 0);
  const isKnown = isAsked || (known?.length ?? 0) > 0;
  const measured = numeric.filter((key) => !isUplinkKey(key));
  const variation = useVariation({
    project_id,
    device_id,
    view,
    numeric: measured,
    isWanted: !isKnown && measured.length > FIRST_KEYS,
  });
  const [shown, setShown] = useState<readonly string[]>([]);

  const isNamed = (key: string) => (settingsOf(device_id, key) === NO_SETTINGS ? 0 : 1);
  const order = measured.toSorted(
    (a, b) => isNamed(b) - isNamed(a) || (variation?.get(b) ?? 0) - (variation?.get(a) ?? 0),
  );
  const defaults = defaultKeys(shown, order);
  // Those that came first stay when a device begins to send others.
  if (variation && defaults.join() !== shown.join()) setShown(defaults);
  if (isAsked) return asked ?? [];
  if (isKnown) return known ?? [];
  return variation && defaults;
}

/** By how much the numbers of each key differ, from 0 to 2; null until it is known. */
function useVariation({
  project_id,
  device_id,
  view,
  numeric,
  isWanted,
}: Omit<Asked, 'picked' | 'settingsOf'> & { readonly isWanted: boolean }): ReadonlyMap<
  string,
  number
> | null {
  const [found, setFound] = useState<ReadonlyMap<string, number> | null>(null);
  const question = isWanted && !found ? JSON.stringify(numeric.slice(0, MOST_LOOKED_AT)) : null;
  useEffect(() => {
    if (question === null) return;
    const given = new AbortController();
    const keys = JSON.parse(question) as string[];
    const parts = Array.from({ length: Math.ceil(keys.length / KEYS_A_QUESTION) }, (_, part) =>
      keys.slice(part * KEYS_A_QUESTION, (part + 1) * KEYS_A_QUESTION),
    );
    Promise.all(parts.map((part) => variationOf({ project_id, device_id, view }, part, given.signal))).then(
      (maps) => setFound(new Map(maps.flatMap((map) => [...map]))),
      // Then it is the order of the keys that decides; that the service is gone is said elsewhere.
      () => !given.signal.aborted && setFound(new Map()),
    );
    return () => given.abort();
  }, [question, project_id, device_id, view]);
  return isWanted ? found : NOTHING_KNOWN;
}

const NOTHING_KNOWN: ReadonlyMap<string, number> = new Map();

async function variationOf(
  device: { readonly project_id: string; readonly device_id: string; readonly view: View },
  keys: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const series = await readSeries({ ...device, keys, width: 1 }, signal);
  return new Map(
    series.keys.map(({ key, counts, min, max }) => {
      const [least = 0, most = 0] = counts[0] ? [min[0], max[0]] : [];
      return [key, variationBetween(least, most)];
    }),
  );
}

const placeOf = (device_id: string) => `chart-keys ${device_id}`;

/** Remembers the keys that somebody chose for a device. */
export function rememberKeys(device_id: string, keys: readonly string[]): void {
  window.localStorage.setItem(placeOf(device_id), keys.join(','));
}

function readRemembered(device_id: string): readonly string[] | undefined {
  return window.localStorage.getItem(placeOf(device_id))?.split(',').filter(Boolean);
}
