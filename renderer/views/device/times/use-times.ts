import { useCallback, useEffect, useRef, useState } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { Times } from '#shared/operations/records/times.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { onConnectionMade } from '../../../bridge/connection.ts';
import { oneInFlight } from '../../../bridge/one-in-flight.ts';

export interface TimesRead {
  readonly value: Times | null;
  readonly error: string | null;
  /** Records came since it was read. */
  readonly isBehind: boolean;
  readonly again: () => void;
}

/** Places that are shown of each kind. */
const MOST = 1_000;

/**
 * Findings on the times of a device. All its records are walked through for that: it is read when it is shown, and again
 * when records went or somebody asks, but not for every record that comes. Leaving gives it up.
 */
export function useTimes(project_id: string, device_id: string, view: View): TimesRead {
  const [state, setState] = useState<Omit<TimesRead, 'again'>>({ value: null, error: null, isBehind: false });
  const load = useRef(() => {});
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const read = oneInFlight(async () => {
      if (signal.aborted) return;
      try {
        const value = await ask('times.get', { project_id, device_id, view, limit: MOST }, { signal });
        if (!signal.aborted) setState({ value, error: null, isBehind: false });
      } catch (error) {
        if (!signal.aborted) setState((before) => ({ ...before, error: messageOf(error) }));
      }
    });
    const stops = [
      bridge.subscribe('records.removed', read, { project_id, device_id }),
      ...(view === 'corrected'
        ? [bridge.subscribe('corrections.changed', read, { project_id, device_id })]
        : []),
      onConnectionMade(read),
      bridge.subscribe('records.stored', () => setState((before) => ({ ...before, isBehind: true })), {
        project_id,
        device_id,
      }),
    ];
    load.current = read;
    read();
    return () => {
      left.abort();
      stops.forEach((stop) => stop());
    };
  }, [project_id, device_id, view]);
  return { ...state, again: useCallback(() => load.current(), []) };
}
