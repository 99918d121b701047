import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallId, InputOf, OutputOf } from '#shared/operations/index.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';

interface Answer<Id extends CallId> {
  readonly found: OutputOf<Id> | null;
  readonly error: string | null;
  readonly busy: boolean;
}

export interface Question<Id extends CallId> extends Answer<Id> {
  readonly run: (input: InputOf<Id>) => void;
  /** Gives up what runs and what was found. */
  readonly clear: () => void;
}

const NOTHING = { found: null, error: null, busy: false };

/** What an operation that changes nothing says; one question at a time, and none once nobody looks. */
export function useQuestion<Id extends CallId>(id: Id): Question<Id> {
  const [state, setState] = useState<Answer<Id>>(NOTHING);
  const given = useRef<AbortController>(null);
  const clear = useCallback(() => {
    given.current?.abort();
    given.current = null;
    setState(NOTHING);
  }, []);
  const run = useCallback(
    (input: InputOf<Id>) => {
      given.current?.abort();
      const { signal } = (given.current = new AbortController());
      setState({ ...NOTHING, busy: true });
      ask(id, input, { signal }).then(
        (found) => !signal.aborted && setState({ ...NOTHING, found }),
        (error: unknown) => !signal.aborted && setState({ ...NOTHING, error: messageOf(error) }),
      );
    },
    [id],
  );
  useEffect(() => () => given.current?.abort(), []);
  return { ...state, run, clear };
}
