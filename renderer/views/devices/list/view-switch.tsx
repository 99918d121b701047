import { SegmentedControl, VisuallyHidden } from '@mantine/core';
import { IconLayoutGrid, IconList, type Icon } from '@tabler/icons-react';

interface ViewSwitchProps {
  readonly isWall: boolean;
  readonly onChange: (isWall: boolean) => void;
}

/** Rows of values, or the curves of all. */
export function ViewSwitch({ isWall, onChange }: ViewSwitchProps) {
  return (
    <SegmentedControl
      aria-label="Devices as"
      value={isWall ? 'wall' : 'list'}
      onChange={(value) => onChange(value === 'wall')}
      data={[
        { value: 'list', label: <Sign icon={IconList} word="List" /> },
        { value: 'wall', label: <Sign icon={IconLayoutGrid} word="Wall of curves" /> },
      ]}
    />
  );
}

function Sign({ icon: Shape, word }: { readonly icon: Icon; readonly word: string }) {
  return (
    <span title={word} style={{ display: 'flex', height: 22, alignItems: 'center' }}>
      <Shape size={16} aria-hidden />
      <VisuallyHidden>{word}</VisuallyHidden>
    </span>
  );
}
