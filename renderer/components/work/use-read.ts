import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../bridge/ask.ts';
import { onConnectionMade } from '../../bridge/connection.ts';

export interface Read<T> {
  readonly value: T | null;
  readonly error: string | null;
  readonly retry: () => void;
}

/** Read of a dialog: once, and again whenever the connection comes back or `read` changes. */
export function useRead<T>(read: () => Promise<T>): Read<T> {
  const [state, setState] = useState<Omit<Read<T>, 'retry'>>({ value: null, error: null });
  const again = useRef(() => {});
  useEffect(() => {
    let wanted = true;
    const load = () =>
      void read().then(
        (value) => wanted && setState({ value, error: null }),
        (error: unknown) => wanted && setState((before) => ({ ...before, error: messageOf(error) })),
      );
    again.current = load;
    load();
    const stop = onConnectionMade(load);
    return () => {
      wanted = false;
      stop();
    };
  }, [read]);
  return { ...state, retry: useCallback(() => again.current(), []) };
}
