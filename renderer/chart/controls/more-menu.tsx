import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowAutofitHeight,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconDots,
  IconMathFunction,
  IconTable,
} from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { CORRECT_LABELS } from '../../components/corrections/correct-labels.ts';
import { useActions } from '../../stores/actions.ts';
import type { FullScreen } from '../full-screen/use-full-screen.ts';

interface MoreMenuProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly isStacked: boolean;
  readonly onStack: (stacked: boolean) => void;
  /** Opens the choice of what the value axes reach over. */
  readonly onAxes: () => void;
  /** Asks for a key that is computed of others; absent where none can be made. */
  readonly onDerive?: () => void;
  /** Copies what the legend says. */
  readonly onCopy: () => void;
  readonly full: FullScreen;
  /** Items of pictures. */
  readonly pictures: ReactNode;
}

/** What a chart is seldom asked for. */
export function MoreMenu({
  ref,
  isStacked,
  onStack,
  onAxes,
  onDerive,
  onCopy,
  full,
  pictures,
}: MoreMenuProps) {
  useActions([{ label: 'Copy figures', icon: IconTable, run: onCopy }]);
  const { isFull, toggle } = full;
  const Sign = isFull ? IconArrowsMinimize : IconArrowsMaximize;
  return (
    <Menu position="bottom-start" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          ref={ref}
          variant="default"
          size={36}
          aria-label="More of the chart"
          title="Stacked, value axes, picture, full screen"
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        <Menu.CheckboxItem checked={isStacked} onChange={onStack} closeMenuOnClick>
          Stacked
        </Menu.CheckboxItem>
        <Menu.Item leftSection={<IconArrowAutofitHeight size={16} />} onClick={onAxes}>
          Value axes…
        </Menu.Item>
        {onDerive && (
          <Menu.Item leftSection={<IconMathFunction size={16} />} onClick={onDerive}>
            {CORRECT_LABELS.derived}
          </Menu.Item>
        )}
        <Menu.Divider />
        {pictures}
        <Menu.Item leftSection={<IconTable size={16} />} onClick={onCopy}>
          Copy figures
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Sign size={16} />} onClick={toggle}>
          {isFull ? 'Leave full screen (Esc)' : 'Full screen (F)'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
