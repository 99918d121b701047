import { useCallback, useEffect, useRef, useState } from 'react';
import type { InputOf } from '#shared/operations/index.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import type { Preview } from './difference-rows.ts';

export interface PreviewOf {
  readonly found: Preview | null;
  readonly error: string | null;
  readonly busy: boolean;
  readonly run: (input: InputOf<'functions.preview'>) => void;
  /** Gives up what runs and what was found. */
  readonly clear: () => void;
}

const NOTHING = { found: null, error: null, busy: false };

/** What decoding again would change; one question at a time, and none once nobody looks. */
export function usePreview(): PreviewOf {
  const [state, setState] = useState<Omit<PreviewOf, 'run' | 'clear'>>(NOTHING);
  const given = useRef<AbortController>(null);
  const clear = useCallback(() => {
    given.current?.abort();
    given.current = null;
    setState(NOTHING);
  }, []);
  const run = useCallback((input: InputOf<'functions.preview'>) => {
    given.current?.abort();
    const { signal } = (given.current = new AbortController());
    setState({ ...NOTHING, busy: true });
    ask('functions.preview', input, { signal }).then(
      (found) => !signal.aborted && setState({ ...NOTHING, found }),
      (error: unknown) => !signal.aborted && setState({ ...NOTHING, error: messageOf(error) }),
    );
  }, []);
  useEffect(() => () => given.current?.abort(), []);
  return { ...state, run, clear };
}
