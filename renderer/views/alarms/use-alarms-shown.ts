import { useCallback, useEffect, useRef, useState } from 'react';
import { hearAddress, keepAddress } from '../../router.ts';
import type { AlarmsShown } from './alarms-address.ts';

/** Change of what is shown; null is as at first. */
export type AlarmsChange = { readonly [Part in keyof AlarmsShown]?: AlarmsShown[Part] | null };

/** State of the list and its setter. The address follows a little later, and leads when it is changed from outside. */
export function useAlarmsShown(told: AlarmsShown): readonly [AlarmsShown, (change: AlarmsChange) => void] {
  const [shown, setShown] = useState(told);
  const latest = useRef(told);
  const show = useCallback((next: AlarmsShown) => {
    latest.current = next;
    setShown(next);
  }, []);
  useEffect(
    () =>
      hearAddress((route) => {
        if (route.screen !== 'alarms') return;
        const { screen: _, ...next } = route;
        show(next);
      }),
    [show],
  );
  const change = useCallback(
    (part: AlarmsChange) => {
      const parts = Object.entries({ ...latest.current, ...part });
      show(Object.fromEntries(parts.filter(([, value]) => value !== null && value !== '')));
      keepAddress({ screen: 'alarms', ...latest.current });
    },
    [show],
  );
  return [shown, change];
}
