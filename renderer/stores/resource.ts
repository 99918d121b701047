import { useEffect, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { messageOf, Refused } from '../bridge/ask.ts';
import { isOffline, useConnection } from '../bridge/connection.ts';
import { oneInFlight } from '../bridge/one-in-flight.ts';

/** Resource of the service that a screen shows: its latest value, or the error. */
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
 * A store that keeps resources fresh while components use them. `of` says which one, as text (an id, or ids joined); the
 * value of another one never shows. What nobody uses any more is kept until another one is asked for: who comes back sees
 * it at once.
 */
export function createResource<T, Of extends string>({ read, changes, restMs = 0 }: Description<T, Of>) {
  const useStore = create<{ readonly known: ReadonlyMap<Of, Resource<T>> }>(() => ({ known: new Map() }));

  /** Loaders of watched resources, by subject. */
  const watched = new Map<Of, { load: () => void; stop: () => void; watchers: number }>();

  function put(of: Of, given: Partial<Resource<T>>): void {
    const { known } = useStore.getState();
    useStore.setState({ known: new Map(known).set(of, { ...(known.get(of) ?? EMPTY), ...given }) });
  }

  function begin(of: Of) {
    const { known } = useStore.getState();
    if (!known.has(of))
      useStore.setState({ known: new Map([...known].filter(([each]) => watched.has(each))).set(of, EMPTY) });
    const load = oneInFlight(async () => {
      if (watched.get(of) !== begun) return;
      try {
        const value = await read(of);
        if (watched.get(of) === begun) put(of, { value, error: null });
      } catch (error) {
        if (watched.get(of) !== begun) return;
        // That the service is away is said once, above all screens; what was read stays as of then.
        const isShown = (useStore.getState().known.get(of)?.value ?? null) !== null;
        if (isOffline() && isShown) return;
        // What is gone must not go on showing; a value that could not be read anew is better than none.
        const gone = error instanceof Refused && error.status === 404;
        put(of, { error: messageOf(error), ...(gone && { value: null }) });
      }
    }, restMs);
    const begun = { load, stop: changes(of, load), watchers: 0 };
    watched.set(of, begun);
    load();
    return begun;
  }

  /** Keeps it fresh; returns what ends that. */
  function watch(of: Of): () => void {
    const begun = watched.get(of) ?? begin(of);
    begun.watchers++;
    return () => {
      if (--begun.watchers > 0) return;
      if (watched.get(of) === begun) watched.delete(of);
      begun.stop();
    };
  }

  const readKnown = () => useStore.getState().known;

  /** Answers of many come one by one, and what shows all of them is not drawn anew for each. */
  function oncePerFrame(changed: () => void): () => void {
    let frame: number | null = null;
    const stop = useStore.subscribe(() => {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        changed();
      });
    });
    return () => {
      stop();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }

  return {
    /** Reads it anew, for who asks to try again. */
    reload: (): void => {
      for (const { load } of watched.values()) load();
    },
    /** The resource as it is now, for components below one that watches it. */
    useValue: (of: Of): Resource<T> => useStore(({ known }) => known.get(of)) ?? EMPTY,
    /** Keeps the resource fresh as long as the component is mounted. */
    useWatch: (of: Of): void => {
      const made = useConnection((connection) => connection.made);
      useEffect(() => watch(of), [of, made]);
    },
    /** The same for several at once, of which there may be any number. */
    useEach: (all: readonly Of[]): ReadonlyMap<Of, Resource<T>> => {
      const made = useConnection((connection) => connection.made);
      const named = JSON.stringify(all);
      useEffect(() => {
        const stops = (JSON.parse(named) as Of[]).map(watch);
        return () => stops.forEach((stop) => stop());
      }, [named, made]);
      return useSyncExternalStore(oncePerFrame, readKnown);
    },
  };
}
