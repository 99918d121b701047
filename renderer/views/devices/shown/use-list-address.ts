import { useCallback, useEffect, useRef, useState } from 'react';
import { hearAddress, keepAddress } from '../../../router.ts';
import { keep, readKept } from '../../../stores/kept.ts';
import { devicesTail, type ListAddress } from './devices-address.ts';

const nameOf = (project_id: string) => `devices.${project_id}`;

/** How the project's list was shown last, not what was looked for: as the address would have it. */
function remembered(project_id: string): ListAddress {
  return devicesTail.parse([], readKept(nameOf(project_id)) ?? '')?.list ?? {};
}

/** A change of what a list shows; null is as at first. */
export type ListChange = { readonly [Part in keyof ListAddress]: ListAddress[Part] | null };

/**
 * State of a project's list, and its setter: of the address, else as remembered. The address follows a little later, and
 * leads when it is changed from outside (the way back, a link). In a project with a dashboard it says that it is the list's.
 */
export function useListAddress(
  project_id: string,
  told: ListAddress | undefined,
  hasDashboard = false,
): readonly [ListAddress, (change: ListChange) => void] {
  const [shown, setShown] = useState<ListAddress>(() => ({ ...remembered(project_id), ...told }));
  const latest = useRef(shown);
  const show = useCallback((next: ListAddress) => {
    latest.current = next;
    setShown(next);
  }, []);
  useEffect(
    () =>
      hearAddress((route) => {
        if (route.screen === 'devices' && route.project_id === project_id)
          show({ ...remembered(project_id), ...route.list });
      }),
    [project_id, show],
  );
  const change = useCallback(
    (changes: ListChange) => {
      const parts = Object.entries({ ...latest.current, ...changes }).filter(([, part]) => part !== null);
      const next = Object.fromEntries(parts) as ListAddress;
      show(next);
      const { filter: _, ...how } = next;
      keep(nameOf(project_id), devicesTail.text({ list: how }).slice(1));
      const list = hasDashboard ? { view: 'list' as const, ...next } : next;
      keepAddress({ screen: 'devices', project_id, ...(Object.keys(list).length > 0 && { list }) });
    },
    [project_id, show, hasDashboard],
  );
  return [shown, change];
}
