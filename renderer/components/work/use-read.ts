import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../bridge/ask.ts';
import { onConnectionMade } from '../../bridge/connection.ts';
import { oneInFlight } from '../../bridge/one-in-flight.ts';

export interface Read<T> {
  readonly value: T | null;
  readonly error: string | null;
  readonly retry: () => void;
}

interface Described {
  /** Whether a new connection matters only where nothing could be read over the one before. */
  readonly isStill?: boolean;
  /** Calls `changed` whenever the value may be another; returns what stops that. Another function listens anew. */
  readonly changes?: (changed: () => void) => () => void;
}

/** Milliseconds between two reads when changes come in bursts. */
const REST_MS = 1_000;

/** Read of a dialog: once, and again whenever the connection comes back, `read` is another function or a change is heard. */
export function useRead<T>(read: () => Promise<T>, { isStill = false, changes }: Described = {}): Read<T> {
  const [state, setState] = useState<Omit<Read<T>, 'retry'>>({ value: null, error: null });
  const again = useRef(() => {});
  useEffect(() => {
    let wanted = true;
    let isRead = false;
    const load = oneInFlight(async () => {
      if (!wanted) return;
      try {
        const value = await read();
        isRead = true;
        if (wanted) setState({ value, error: null });
      } catch (error) {
        if (wanted) setState((before) => ({ ...before, error: messageOf(error) }));
      }
    }, changes && REST_MS);
    again.current = load;
    load();
    const stops = [
      onConnectionMade(() => {
        if (!isStill || !isRead) load();
      }),
    ];
    if (changes) stops.push(changes(load));
    return () => {
      wanted = false;
      stops.forEach((stop) => stop());
    };
  }, [read, isStill, changes]);
  return { ...state, retry: useCallback(() => again.current(), []) };
}
