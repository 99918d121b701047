import { useEffect } from 'react';
import { create } from 'zustand';
import { messageOf, Refused } from '../bridge/ask.ts';
import { useConnection } from '../bridge/connection.ts';
import { oneInFlight } from '../bridge/one-in-flight.ts';

/** Something of the service that a screen shows: its latest value, or why there is none. */
export interface Resource<T> {
  readonly value: T | null;
  readonly error: string | null;
}

interface Description<T, Of> {
  readonly read: (of: Of) => Promise<T>;
  /** Calls `changed` whenever the value may have changed; returns what stops that. */
  readonly changes: (of: Of, changed: () => void) => () => void;
  /** Milliseconds between two readings when changes come in bursts. */
  readonly restMs?: number;
}

const EMPTY: Resource<never> = { value: null, error: null };

/**
 * A store that keeps a resource fresh while a component uses it. `of` says which one, as text (an id, or ids joined);
 * the value of another one never shows.
 */
export function createResource<T, Of extends string>({ read, changes, restMs = 0 }: Description<T, Of>) {
  const useStore = create<Resource<T> & { readonly of: Of | null }>(() => ({
    of: null,
    value: null,
    error: null,
  }));

  /** Reads anew for those who watch. */
  const reloads = new Set<() => void>();

  function watch(of: Of): () => void {
    let watched = true;
    if (useStore.getState().of !== of) useStore.setState({ of, value: null, error: null });
    const load = oneInFlight(async () => {
      if (!watched) return;
      try {
        const value = await read(of);
        if (watched) useStore.setState({ value, error: null });
      } catch (error) {
        if (!watched) return;
        // What is gone must not go on showing; a value that could not be read anew is better than none.
        const gone = error instanceof Refused && error.status === 404;
        useStore.setState({ error: messageOf(error), ...(gone && { value: null }) });
      }
    }, restMs);
    const stop = changes(of, load);
    reloads.add(load);
    load();
    return () => {
      watched = false;
      reloads.delete(load);
      stop();
    };
  }

  return {
    /** Reads it anew, for who asks to try again. */
    reload: (): void => {
      for (const load of reloads) load();
    },
    /** The resource as it is now, for components below one that watches it. */
    useValue: (of: Of): Resource<T> => {
      const state = useStore();
      return state.of === of ? state : EMPTY;
    },
    /** Keeps the resource fresh as long as the component is mounted. */
    useWatch: (of: Of): void => {
      const made = useConnection((connection) => connection.made);
      useEffect(() => watch(of), [of, made]);
    },
  };
}
