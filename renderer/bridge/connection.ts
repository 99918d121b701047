import { create } from 'zustand';

interface Connection {
  /** `signed-out`: the service is there, and does not know this window any more. */
  readonly state: 'connecting' | 'connected' | 'lost' | 'signed-out';
  /** Counts the connections made: what was loaded under an earlier one may have missed events. */
  readonly made: number;
}

export const useConnection = create<Connection>(() => ({ state: 'connecting', made: 0 }));

export function connectionMade(): void {
  useConnection.setState(({ made }) => ({ state: 'connected', made: made + 1 }));
}

/** Whether the service is out of reach, or keeps this window out. */
export function useOffline(): boolean {
  return useConnection(({ state }) => state === 'lost' || state === 'signed-out');
}

/** `why` says whether the service is out of reach or keeps this window out. */
export function connectionLost(why: 'lost' | 'signed-out' = 'lost'): void {
  useConnection.setState({ state: why });
}
