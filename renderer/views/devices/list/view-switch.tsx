import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { memo } from 'react';

interface ViewSwitchProps {
  readonly isWall: boolean;
  readonly onChange: (isWall: boolean) => void;
}

/** Rows of values, or the curves of all. */
export const ViewSwitch = memo(function ViewSwitch({ isWall, onChange }: ViewSwitchProps) {
  return (
    <ActionIcon.Group aria-label="Devices as">
      {[
        { label: 'List', icon: IconList, wall: false },
        { label: 'Wall of curves', icon: IconLayoutGrid, wall: true },
      ].map(({ label, icon: Shape, wall }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            size={36}
            variant={isWall === wall ? 'light' : 'default'}
            aria-label={label}
            aria-pressed={isWall === wall}
            onClick={() => onChange(wall)}
          >
            <Shape size={18} />
          </ActionIcon>
        </Tooltip>
      ))}
    </ActionIcon.Group>
  );
});
