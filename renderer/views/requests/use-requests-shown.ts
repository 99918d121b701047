import { useCallback, useEffect, useRef, useState } from 'react';
import { goTo, hearAddress, keepAddress } from '../../router.ts';
import type { RequestsShown } from './requests-address.ts';

/** Change of what is shown; null is as at first. */
export type RequestsChange = { readonly [Part in keyof RequestsShown]?: RequestsShown[Part] | null };

/** What a change makes of what is shown. */
function withChange(shown: RequestsShown, change: RequestsChange): RequestsShown {
  const parts = Object.entries({ ...shown, ...change });
  return Object.fromEntries(parts.filter(([, value]) => value !== null && value !== ''));
}

/** State of the list and its setter. The address follows a little later, and leads when it is changed from outside. */
export function useRequestsShown(told: RequestsShown) {
  const [shown, setShown] = useState(told);
  const latest = useRef(told);
  const show = useCallback((next: RequestsShown) => {
    latest.current = next;
    setShown(next);
  }, []);
  useEffect(
    () =>
      hearAddress((route) => {
        if (route.screen !== 'requests') return;
        const { screen: _, ...next } = route;
        show(next);
      }),
    [show],
  );
  const change = useCallback(
    (part: RequestsChange) => {
      show(withChange(latest.current, part));
      keepAddress({ screen: 'requests', ...latest.current });
    },
    [show],
  );
  /** The same as a step that the way back leads out of. */
  const go = useCallback((part: RequestsChange) => {
    goTo({ screen: 'requests', ...withChange(latest.current, part) });
  }, []);
  return { shown, change, go };
}
