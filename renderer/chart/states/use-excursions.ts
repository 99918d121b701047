import { useEffect, useRef, useState } from 'react';
import type { Excursions } from '#shared/operations/records/excursions.ts';
import { formatMicros } from '#shared/values/time.ts';
import { ask } from '../../bridge/ask.ts';
import { may } from '../../bridge/distant.ts';
import { isOffline } from '../../bridge/connection.ts';
import type { TimeSpan } from '../time/window.ts';

/** A window that is still being moved is not asked for. */
const REST_MS = 250;
/** While records come in. */
const LIVE_REST_MS = 1_000;
/** Keys that a chart can have strips of. */
const MOST_STRIPS = 16;

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  /** With what decides the answer. */
  readonly keys: readonly { readonly key: string; readonly by: string }[];
  /** Null: nothing is asked. */
  readonly window: TimeSpan | null;
  /** CSS pixels. */
  readonly width: number;
  /** Changes whenever the device has other records. */
  readonly version: number;
}

interface Told {
  readonly device_id: string;
  /** Of the records that it is of. */
  readonly version: number;
  readonly all: readonly Excursions[];
}

/** What keys were against their normal ranges in a window; what was known stays until more is. Null at first. */
export function useExcursions(asked: Asked): readonly Excursions[] | null {
  const { project_id, device_id, keys, window, width, version } = asked;
  const [known, setKnown] = useState<Told | null>(null);
  const last = useRef('');
  const place =
    window &&
    JSON.stringify([
      project_id,
      device_id,
      window,
      Math.max(1, Math.round(width)),
      keys.slice(0, MOST_STRIPS),
    ]);
  useEffect(() => {
    if (place === null) return;
    const given = new AbortController();
    const rest = last.current === place ? LIVE_REST_MS : REST_MS;
    const timer = setTimeout(() => {
      last.current = place;
      read(place, given.signal).then(
        (all) => setKnown({ device_id, version, all }),
        () => {
          // While the service is away what was known stays.
          if (!given.signal.aborted && !isOffline()) setKnown({ device_id, version, all: [] });
        },
      );
    }, rest);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [place, device_id, version]);
  return known?.device_id === device_id ? known.all : null;
}

type Place = readonly [
  project_id: string,
  device_id: string,
  window: TimeSpan,
  width: number,
  keys: Asked['keys'],
];

async function read(place: string, signal: AbortSignal): Promise<readonly Excursions[]> {
  const [project_id, device_id, { from, to }, width, keys] = JSON.parse(place) as Place;
  // A service elsewhere may have it not.
  if (!may('excursions.get')) return [];
  const span = { start: formatMicros(Math.round(from)), end: formatMicros(Math.round(to)) };
  const request = { project_id, device_id, ...span, width: Math.min(2_000, width), limit: 0 };
  return Promise.all(keys.map(({ key }) => ask('excursions.get', { ...request, key }, { signal })));
}
