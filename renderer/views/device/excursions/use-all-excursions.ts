import { useEffect, useState } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { Excursions } from '#shared/operations/records/excursions.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { onConnectionMade } from '../../../bridge/connection.ts';
import { oneInFlight } from '../../../bridge/one-in-flight.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';

interface ExcursionsRead {
  /** In the order asked; null until they are read. */
  readonly value: readonly Excursions[] | null;
  readonly error: string | null;
  /** Records came since. */
  readonly isBehind: boolean;
}

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly view: View;
  /** As text, with the settings that decide: `[[key, settings], …]`. */
  readonly keys: string;
  /** Null: nothing is asked. */
  readonly span: TimeSpan | null;
  /** When somebody looked: they are read again at another one. */
  readonly now: Micros;
}

/** Excursions and gaps of a key that are shown. */
const MOST = 1_000;

/** Excursions of keys in a span: read when they are shown, and again when records went or somebody asks. */
export function useAllExcursions({ project_id, device_id, view, keys, span, now }: Asked): ExcursionsRead {
  const [state, setState] = useState<ExcursionsRead>({ value: null, error: null, isBehind: false });
  const look = span && JSON.stringify([span, now]);
  useEffect(() => {
    if (look === null) return;
    const left = new AbortController();
    const { signal } = left;
    const [{ from, to }] = JSON.parse(look) as readonly [TimeSpan, Micros];
    const device = { project_id, device_id };
    const request = { ...device, view, start: formatMicros(from), end: formatMicros(to), limit: MOST };
    const named = (JSON.parse(keys) as readonly (readonly [string, unknown])[]).map(([key]) => key);
    const read = oneInFlight(async () => {
      if (signal.aborted) return;
      try {
        const asked = named.map((key) => ask('excursions.get', { ...request, key }, { signal }));
        const value = await Promise.all(asked);
        if (!signal.aborted) setState({ value, error: null, isBehind: false });
      } catch (error) {
        if (!signal.aborted) setState((before) => ({ ...before, error: messageOf(error) }));
      }
    });
    const stops = [
      bridge.subscribe('records.removed', read, device),
      ...(view === 'corrected' ? [bridge.subscribe('corrections.changed', read, device)] : []),
      onConnectionMade(read),
      bridge.subscribe('records.stored', () => setState((before) => ({ ...before, isBehind: true })), device),
    ];
    read();
    return () => {
      left.abort();
      stops.forEach((stop) => stop());
    };
  }, [project_id, device_id, view, keys, look]);
  return state;
}
