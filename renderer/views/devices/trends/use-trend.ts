import { useMemo, useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { useMay } from '../../../bridge/distant.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { keyOfColumn } from '../shown/column-ids.ts';
import type { DeviceFilter } from '../shown/device-filter.ts';
import type { ListAddress } from '../shown/devices-address.ts';
import { writtenAs } from '../shown/shown-keys.ts';
import { LEAST_DEVICES } from './comparison.ts';
import { NOT_COMPARED, type Compared } from './compared.ts';
import { useComparisons } from './use-comparisons.ts';

interface Of {
  readonly project_id: string;
  /** Keys that the list has columns of. */
  readonly keys: readonly string[];
  readonly devices: readonly FoundDevice[];
  readonly shown: ListAddress;
  readonly filter: DeviceFilter;
  readonly settingsOf: SettingsOf;
  readonly usualOf: (key: string) => KeySettings;
}

/** Key whose last day is shown, and how the devices are beside one another. */
export interface Trend {
  /** Empty where devices have little in common: each shows one of its own. */
  readonly key: string;
  readonly compared: Compared;
  /** Its settings as most devices have them. */
  readonly settings: KeySettings;
  /** Digits behind the point that its numbers are written with. */
  readonly decimals: number;
  /** Whether there are enough devices to be compared, as far as is known. */
  readonly isOffered: boolean;
  /** Keys by which some devices are unlike the others, and how many. */
  readonly unlike: readonly { readonly key: string; readonly count: number }[];
}

/**
 * The key that was chosen, else that of the order; else, as nobody looks for what nobody expects, the one by which a device is
 * farthest from the others, and where none is unlike them the first.
 */
export function useTrend(of: Of): Trend {
  const { project_id, keys, devices, shown, filter, settingsOf, usualOf } = of;
  const sorted = keyOfColumn(shown.sort?.column ?? '');
  const drawn = useMemo(() => {
    const all = new Set([...(shown.trend === undefined ? [] : [shown.trend]), ...keys]);
    return JSON.stringify([...all].filter((key) => key === shown.trend || isDrawn(key, devices)));
  }, [shown.trend, keys, devices]);
  // The same keys are the same list, whatever came in.
  const compared = useMemo(() => JSON.parse(drawn) as readonly string[], [drawn]);
  // Texts have an order and no curve.
  const chosen = shown.trend ?? (sorted !== null && compared.includes(sorted) ? sorted : null);
  const isAsked = shown.sort?.column === 'deviation';
  // By which key, while so many are not compared by all of them.
  const asked = isAsked ? (chosen ?? compared[0] ?? null) : null;
  const byKey = useComparisons({ project_id, keys: compared, devices, filter, asked });

  // Found once: what comes in later does not exchange what is looked at.
  const [found, setFound] = useState<{ readonly of: string; readonly key: string } | null>(null);
  const named = `${project_id} ${drawn}`;
  if (found?.of !== named && compared.length > 0 && compared.every((key) => byKey.get(key)?.isKnown))
    setFound({ of: named, key: farthest(compared, byKey) });
  const key = chosen ?? (found?.of === named ? found.key : (compared[0] ?? ''));
  const settings = usualOf(key);
  const decimals = useMemo(
    () => settings.decimals ?? writtenAs(devices, key, settingsOf).decimals,
    [settings, devices, key, settingsOf],
  );
  const isOffered = useMay('series.trends') && key !== '' && devices.length >= LEAST_DEVICES;
  const mine = byKey.get(key) ?? NOT_COMPARED;
  const counts = compared.map((each) => ({ key: each, count: byKey.get(each)?.unlike ?? 0 }));
  // As text: columns hang on it, and on their order that of thousands of rows.
  const unlike = JSON.stringify(counts.filter(({ count }) => count > 0));
  return useMemo(
    () => ({
      key,
      compared: mine,
      settings,
      decimals,
      isOffered,
      unlike: JSON.parse(unlike) as Trend['unlike'],
    }),
    [key, mine, settings, decimals, isOffered, unlike],
  );
}

/** Whether some device has numbers of a key. */
const isDrawn = (key: string, devices: readonly FoundDevice[]) =>
  devices.some(({ values }) => values.some((one) => one.key === key && typeof one.value !== 'string'));

function farthest(keys: readonly string[], byKey: ReadonlyMap<string, Compared>): string {
  const timesOf = (key: string) => {
    const { unlike, ends } = byKey.get(key) ?? NOT_COMPARED;
    return unlike === 0 ? 0 : Math.max(...ends.map(({ times }) => times));
  };
  let best = keys[0] ?? '';
  for (const key of keys) if (timesOf(key) > timesOf(best)) best = key;
  return best;
}
