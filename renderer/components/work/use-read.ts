import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../bridge/ask.ts';
import { onConnectionMade } from '../../bridge/connection.ts';
import { oneInFlight } from '../../bridge/one-in-flight.ts';

export interface Read<T> {
  readonly value: T | null;
  /** Why this `read` failed last; that of another one before it is none of its. */
  readonly error: string | null;
  readonly retry: () => void;
  /** Reads at once, and shows what it resolves with. Rejects where it cannot be read. */
  readonly readNow: () => Promise<T>;
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
  const [value, setValue] = useState<T | null>(null);
  const [failure, setFailure] = useState<{ readonly of: typeof read; readonly message: string } | null>(null);
  const again = useRef(() => {});
  useEffect(() => {
    let wanted = true;
    let isRead = false;
    const load = oneInFlight(async () => {
      if (!wanted) return;
      try {
        const found = await read();
        isRead = true;
        if (!wanted) return;
        setValue(() => found);
        setFailure(null);
      } catch (error) {
        if (wanted) setFailure({ of: read, message: messageOf(error) });
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
  return {
    value,
    error: failure?.of === read ? failure.message : null,
    retry: useCallback(() => again.current(), []),
    readNow: useCallback(async () => {
      const found = await read();
      setValue(() => found);
      setFailure(null);
      return found;
    }, [read]),
  };
}
