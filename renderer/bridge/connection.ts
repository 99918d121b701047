import type { Micros } from '#shared/values/time.ts';
import { create } from 'zustand';

interface Connection {
  /** `signed-out`: the service is there, and does not know this window any more. */
  readonly state: 'connecting' | 'connected' | 'lost' | 'signed-out';
  /** Counts the connections made: what was loaded under an earlier one may have missed events. */
  readonly made: number;
  /** Since when the service is out of reach: what is shown is as of then. Null while it is there. */
  readonly lostAt: Micros | null;
}

export const useConnection = create<Connection>(() => ({ state: 'connecting', made: 0, lostAt: null }));

export function connectionMade(): void {
  useConnection.setState(({ made }) => ({ state: 'connected', made: made + 1, lostAt: null }));
}

/**
 * Calls `work` with each connection that is made from now on: what the one before could not read, or did not hear of, the new one is
 * asked for. Returns what ends that.
 */
export function onConnectionMade(work: () => void): () => void {
  return useConnection.subscribe(({ made }, before) => {
    if (made !== before.made) work();
  });
}

type State = Connection['state'];
const isAway = (state: State) => state === 'lost' || state === 'signed-out';

/** Whether the service is out of reach, or keeps this window out. */
export function useOffline(): boolean {
  return useConnection(({ state }) => isAway(state));
}

/** Whether the service is out of reach now. */
export const isOffline = (): boolean => isAway(useConnection.getState().state);

/** Resolves with whether the service is in reach again within so many ms; rejects with the signal's reason. */
export function isBackWithin(ms: number, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const look = () => isOffline() || resolve(true);
  const stop = useConnection.subscribe(look);
  const timer = setTimeout(() => resolve(false), ms);
  const give = () => reject(signal.reason);
  signal.addEventListener('abort', give);
  look();
  if (signal.aborted) give();
  return promise.finally(() => {
    stop();
    clearTimeout(timer);
    signal.removeEventListener('abort', give);
  });
}

/** Since when what is shown stands still; null while the service is there. */
export const useLostAt = (): Micros | null => useConnection(({ lostAt }) => lostAt);

/** `why` says whether the service is out of reach or keeps this window out. */
export function connectionLost(why: 'lost' | 'signed-out' = 'lost'): void {
  useConnection.setState(({ lostAt }) => ({
    state: why,
    lostAt: lostAt ?? Math.floor(Date.now() / 1000) * 1e6,
  }));
}
