import { useState } from 'react';
import { messageOf } from '../../bridge/ask.ts';

export interface Submit {
  readonly busy: boolean;
  /** Why the last attempt failed, in the service's words. */
  readonly error: string | null;
  readonly run: () => void;
  /** Drops the error. */
  readonly forget: () => void;
}

/** Runs `work` once at a time and keeps what went wrong, to be shown beside what caused it. */
export function useSubmit(work: () => Promise<void>): Submit {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function attempt(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    error,
    run: () => {
      if (!busy) void attempt();
    },
    forget: () => setError(null),
  };
}
