import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLayoutSidebar, IconMenu2 } from '@tabler/icons-react';
import { useActions } from '../../stores/actions.ts';
import { foldSidebar, openSidebarDrawer, useSidebar } from '../../stores/sidebar.ts';
import { useRoomBeside } from './side.tsx';

/** Folds and unfolds the sidebar; opens it where there is no room beside the screen. */
export function SidebarButton() {
  const hasRoom = useRoomBeside();
  const { folded, drawer } = useSidebar();
  const label = hasRoom && !folded ? 'Hide projects and devices' : 'Show projects and devices';
  const run = hasRoom ? foldSidebar : openSidebarDrawer;
  useActions([{ label, icon: IconLayoutSidebar, shortcut: 'mod+b', run }], 'everywhere');
  const Shape = hasRoom ? IconLayoutSidebar : IconMenu2;
  return (
    <Tooltip label={`${label} (Ctrl B)`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        ml={-8}
        aria-label={label}
        aria-expanded={hasRoom ? !folded : drawer}
        onClick={run}
      >
        <Shape size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
