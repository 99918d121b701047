import { useCallback, useEffect, useRef, useState } from 'react';
import { hearAddress, keepAddress, placeOf, type Route } from '../../router.ts';
import { type ListShown } from './list-shown.ts';

type ListRoute = Extract<Route, { readonly screen: 'projects' | 'api-keys' | 'deleted' | 'other-services' }>;

/**
 * State of a list, and its setter. The address follows a little later, and leads when it is changed from outside: the way
 * back, a link.
 */
export function useListShown(
  screen: ListRoute['screen'],
  told: ListShown,
): readonly [ListShown, (change: ListShown) => void] {
  const [shown, setShown] = useState(told);
  const latest = useRef(told);
  const show = useCallback((next: ListShown) => {
    latest.current = next;
    setShown(next);
  }, []);
  useEffect(
    () =>
      hearAddress((route) => {
        if (placeOf(route) === placeOf({ screen })) show(route as ListRoute);
      }),
    [screen, show],
  );
  const change = useCallback(
    (part: ListShown) => {
      const { find = '', sort } = { ...latest.current, ...part };
      const next = { ...(find !== '' && { find }), ...(sort && { sort }) };
      show(next);
      keepAddress({ screen, ...next });
    },
    [screen, show],
  );
  return [shown, change];
}
