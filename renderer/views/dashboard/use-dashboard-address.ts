import { useCallback, useEffect, useRef, useState } from 'react';
import { hearAddress, keepAddress } from '../../router.ts';
import type { DashboardShown } from './dashboard-address.ts';

/** A change of what a dashboard shows; null is as at first. */
export type DashboardChange = { readonly [Part in keyof DashboardShown]?: DashboardShown[Part] | null };

/** What the dashboard shows, and how to change it. The address follows a little later, and leads when it is changed from outside. */
export function useDashboardAddress(
  project_id: string,
  told: DashboardShown,
): readonly [DashboardShown, (change: DashboardChange) => void] {
  const [shown, setShown] = useState(told);
  const latest = useRef(told);
  const show = useCallback((next: DashboardShown) => {
    latest.current = next;
    setShown(next);
  }, []);
  useEffect(
    () =>
      hearAddress((route) => {
        if (route.screen !== 'dashboard' || route.project_id !== project_id) return;
        const { range, window, zone } = route;
        show({ ...(range && { range }), ...(window && { window }), ...(zone && { zone }) });
      }),
    [project_id, show],
  );
  const change = useCallback(
    (changes: DashboardChange) => {
      const parts = Object.entries({ ...latest.current, ...changes }).filter(([, part]) => part !== null);
      const next = Object.fromEntries(parts) as DashboardShown;
      show(next);
      keepAddress({ screen: 'dashboard', project_id, ...next });
    },
    [project_id, show],
  );
  return [shown, change];
}
