import { useEffect, useState } from 'react';
import { useMay } from '../../../bridge/distant.ts';
import { currentRoute, goInstead, hearAddress } from '../../../router.ts';
import { widgets } from '../../../stores/dashboard/widgets.ts';
import type { ListAddress } from './devices-address.ts';

interface FirstPage {
  /** Whether the list is what is to be seen. */
  readonly isKnown: boolean;
  readonly hasDashboard: boolean;
}

/**
 * The first page of a project, which is its dashboard where it has widgets and the address asks for nothing of the list. Goes there
 * in place of the list.
 */
export function useFirstPage(project_id: string, list: ListAddress | undefined): FirstPage {
  const may = useMay('widgets.list');
  // Decided once: a list that is narrowed no more, or whose project gets its first widget, is looked at still.
  const [isOpen, setOpen] = useState(list === undefined && may);
  useEffect(
    () =>
      hearAddress((route) => {
        if (route.screen === 'devices' && route.project_id === project_id)
          setOpen(route.list === undefined && may);
      }),
    [project_id, may],
  );
  const { value = null, error = null } = widgets.useEach(may ? [project_id] : []).get(project_id) ?? {};
  const hasDashboard = may && value !== null && value.length > 0;
  if (isOpen && !hasDashboard && (value !== null || error !== null)) setOpen(false);
  const isLeaving = isOpen && hasDashboard;
  useEffect(() => {
    if (!isLeaving) return;
    // Somebody may have gone on already.
    const now = currentRoute();
    const isHere = now.screen === 'devices' && now.project_id === project_id && now.list === undefined;
    if (isHere) goInstead({ screen: 'dashboard', project_id });
  }, [isLeaving, project_id]);
  return { isKnown: !isOpen, hasDashboard };
}
