import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef } from 'react';
import { focusHeading } from '../../components/screen/screen.tsx';
import { placeOf, type Route } from '../../router.ts';
import { droppedBeside, holdsFiles } from '../../stores/picked-files.ts';
import { closeSidebarDrawer, setUnfolded, useSidebar } from '../../stores/sidebar.ts';
import { Sidebar } from './sidebar.tsx';
import classes from './sidebar.module.css';

/** From here on there is room beside a screen. */
const ROOM = '(min-width: 900px)';

/** Whether the sidebar stands beside the screen; where not, it opens over it. */
export function useRoomBeside(): boolean {
  return useMediaQuery(ROOM, true, { getInitialValueInEffect: false });
}

/** The sidebar where it belongs: beside the screen, or in a drawer over it; nowhere while it is folded. */
export function Side({ route }: { readonly route: Route }) {
  const hasRoom = useRoomBeside();
  const { folded, drawer } = useSidebar();
  // The devices beside the one that is shown are shown as well.
  const project_id = 'project_id' in route ? route.project_id : null;
  useEffect(() => {
    if (project_id !== null) setUnfolded(project_id, true);
  }, [project_id]);
  // Wider again, it is not to stay open behind everything.
  useEffect(() => {
    if (hasRoom) closeSidebarDrawer();
  }, [hasRoom]);
  const opening = useRef<{ readonly place: string; readonly focused: Element | null } | null>(null);
  const opened = useEffectEvent(() => {
    opening.current = { place: placeOf(route), focused: document.activeElement };
  });
  useEffect(() => {
    if (drawer) opened();
  }, [drawer]);
  /** Mantine leaves the focus in the drawer where Escape came before it was moved there. */
  const focusBehind = () => {
    const { activeElement } = document;
    if (activeElement !== document.body && !activeElement?.closest('[role=dialog]')) return;
    const before = opening.current?.place === placeOf(route) ? opening.current.focused : null;
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    else focusHeading();
  };
  if (hasRoom)
    return (
      !folded && (
        <aside
          aria-label="Projects"
          className={classes['side']}
          data-beside
          // Beside its rows nothing takes files; the browser would open them instead of the app.
          onDragOver={(event) => holdsFiles(event) && event.preventDefault()}
          onDrop={(event) => {
            if (!holdsFiles(event)) return;
            event.preventDefault();
            droppedBeside();
          }}
        >
          <Sidebar route={route} />
        </aside>
      )
    );
  return (
    <Drawer
      opened={drawer}
      onClose={closeSidebarDrawer}
      size={280}
      title="Projects"
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ content: classes['drawer'] ?? '', body: classes['inDrawer'] ?? '' }}
      onExitTransitionEnd={focusBehind}
    >
      <Sidebar route={route} />
    </Drawer>
  );
}
