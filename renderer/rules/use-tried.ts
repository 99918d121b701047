import { useCallback, useEffect, useRef, useState } from 'react';
import type { InputOf, OutputOf } from '#shared/operations/index.ts';
import { ask, messageOf } from '../bridge/ask.ts';

export type Tried = OutputOf<'rules.try'>;

export interface TriedOf {
  /** Result of the trial; null until it is known. */
  readonly found: Tried | null;
  /** The question that `found` and `refused` answer, as text. */
  readonly of: string | null;
  /** In the service's words. */
  readonly refused: string | null;
  readonly busy: boolean;
  /** Whether it is about to be asked by itself. */
  readonly soon: boolean;
  /** Asks now. */
  readonly now: () => void;
  readonly cancel: () => void;
}

/** So long nothing may be typed before the past is read. */
const REST_MS = 400;
/** `begun`: the question that was asked last. */
type State = Pick<TriedOf, 'found' | 'of' | 'refused' | 'busy'> & { readonly begun: string | null };
const NOTHING = { found: null, of: null, refused: null, busy: false };

/**
 * Tries a rule on the past: a while after it was changed where it is to be tried by itself, else when somebody asks. One
 * question is under way at most, and none once the rule is another one or nobody looks.
 */
export function useTried(asked: InputOf<'rules.try'> | null, isByItself: boolean): TriedOf {
  const [state, setState] = useState<State>({ ...NOTHING, begun: null });
  const given = useRef<AbortController>(null);
  const of = asked && JSON.stringify(asked);
  const now = useCallback(() => {
    given.current?.abort();
    if (of === null) return;
    const { signal } = (given.current = new AbortController());
    setState((before) => ({ ...before, busy: true, begun: of }));
    ask('rules.try', JSON.parse(of) as InputOf<'rules.try'>, { signal }).then(
      (found) => !signal.aborted && setState({ ...NOTHING, found, of, begun: of }),
      (error: unknown) =>
        !signal.aborted && setState({ ...NOTHING, of, refused: messageOf(error), begun: of }),
    );
  }, [of]);
  const cancel = useCallback(() => {
    given.current?.abort();
    given.current = null;
    setState((before) => ({ ...before, busy: false }));
  }, []);
  useEffect(() => {
    const timer = isByItself ? setTimeout(now, REST_MS) : undefined;
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [now, isByItself, cancel]);
  const { begun, ...tried } = state;
  return { ...tried, soon: isByItself && of !== null && begun !== of, now, cancel };
}
