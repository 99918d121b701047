import { useEffect, useRef, useState } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { KeyStates } from '#shared/operations/records/states.ts';
import { formatMicros } from '#shared/values/time.ts';
import { ask } from '../../bridge/ask.ts';
import { isOffline } from '../../bridge/connection.ts';
import { nowMicros } from '../../time.ts';
import type { TimeSpan } from '../time/window.ts';
import type { Through } from '../view.ts';
import { stripOf, type Strip } from './strip.ts';
import { textsOf } from './texts-of.ts';

/** A window that is still being moved is not asked for. */
const REST_MS = 150;
/** While records come in. */
const LIVE_REST_MS = 1_000;
/** Strips that a chart can have below it. */
const MOST_STRIPS = 32;

interface Device {
  readonly project_id: string;
  readonly device_id: string;
}

interface Asked extends Device {
  readonly summary: DeviceSummary;
  readonly through: Through;
  /** Null: nothing is asked. */
  readonly window: TimeSpan | null;
  /** CSS pixels. */
  readonly width: number;
}

interface Told {
  /** Whose they are. */
  readonly device_id: string;
  /** Of the device, when it was asked. */
  readonly records: number;
  readonly keys: readonly KeyStates[];
}

/** The states of a device's texts and booleans in a window; what was known stays until more is. Null at first. */
export function useStates({
  project_id,
  device_id,
  summary,
  through: { view, revision },
  window,
  width,
}: Asked): readonly KeyStates[] | null {
  const [known, setKnown] = useState<Told | null>(null);
  const asked = useRef('');
  const { records } = summary;
  const texts = textsOf(summary);
  const place =
    window &&
    JSON.stringify([project_id, device_id, window, Math.max(1, Math.round(width)), texts, view, revision]);
  useEffect(() => {
    if (place === null) return;
    const given = new AbortController();
    const rest = asked.current === place ? LIVE_REST_MS : REST_MS;
    const timer = setTimeout(() => {
      asked.current = place;
      read(place, given.signal).then(
        (keys) => setKnown({ device_id, records, keys }),
        () => {
          // While the service is away what was known stays; each state lies at its own time.
          if (!given.signal.aborted && !isOffline()) setKnown({ device_id, records, keys: [] });
        },
      );
    }, rest);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [place, device_id, records]);
  return known?.device_id === device_id ? known.keys : null;
}

/** The same at once, as strips: for what is handed over. */
export async function readStrips(
  device: Device,
  {
    summary,
    view,
    window,
    width,
  }: {
    readonly summary: DeviceSummary;
    readonly view: View;
    readonly window: TimeSpan;
    readonly width: number;
  },
): Promise<readonly Strip[]> {
  const texts = textsOf(summary);
  const states = await readStates({ ...device, view, window, width, texts }, new AbortController().signal);
  return states.flatMap((key) => stripOf(key, nowMicros()) ?? []);
}

/** Texts, and booleans where they were told apart (`useBooleansApart`); how a payload came is no state. */
function read(place: string, signal: AbortSignal): Promise<readonly KeyStates[]> {
  const [project_id, device_id, window, width, texts, view] = JSON.parse(place) as readonly [
    string,
    string,
    TimeSpan,
    number,
    readonly string[],
    View,
  ];
  return readStates({ project_id, device_id, view, window, width, texts }, signal);
}

interface Reading extends Device {
  readonly view: View;
  readonly window: TimeSpan;
  readonly width: number;
  /** Keys that carry texts or booleans. */
  readonly texts: readonly string[];
}

async function readStates(
  { project_id, device_id, view, window: { from, to }, width, texts }: Reading,
  signal: AbortSignal,
): Promise<readonly KeyStates[]> {
  const keys = texts.slice(0, MOST_STRIPS);
  if (keys.length === 0) return [];
  const span = { start: formatMicros(Math.round(from)), end: formatMicros(Math.round(to)) };
  const request = {
    project_id,
    device_id,
    ...span,
    keys: keys.join(','),
    width: Math.min(2_000, width),
    view,
  };
  return (await ask('states.get', request, { signal })).keys;
}
