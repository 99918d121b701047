import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../bridge/ask.ts';
import { onConnectionMade } from '../../bridge/connection.ts';

export interface Read<T> {
  readonly value: T | null;
  readonly error: string | null;
  readonly retry: () => void;
}

/**
 * Read of a dialog: once, and again whenever the connection comes back or `read` changes. `isStill`: over a new connection only where
 * nothing could be read over the one before.
 */
export function useRead<T>(read: () => Promise<T>, { isStill = false } = {}): Read<T> {
  const [state, setState] = useState<Omit<Read<T>, 'retry'>>({ value: null, error: null });
  const again = useRef(() => {});
  useEffect(() => {
    let wanted = true;
    let isRead = false;
    const load = async () => {
      try {
        const value = await read();
        isRead = true;
        if (wanted) setState({ value, error: null });
      } catch (error) {
        if (wanted) setState((before) => ({ ...before, error: messageOf(error) }));
      }
    };
    again.current = () => void load();
    void load();
    const stop = onConnectionMade(() => {
      if (!isStill || !isRead) void load();
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [read, isStill]);
  return { ...state, retry: useCallback(() => again.current(), []) };
}
