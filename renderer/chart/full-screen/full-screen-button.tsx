import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowsMaximize, IconArrowsMinimize } from '@tabler/icons-react';
import type { FullScreen } from './use-full-screen.ts';

export function FullScreenButton({ full: { isFull, toggle } }: { readonly full: FullScreen }) {
  const label = isFull ? 'Leave full screen (Esc)' : 'Full screen (F)';
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={36} aria-label={label} aria-pressed={isFull} onClick={toggle}>
        {isFull ? <IconArrowsMinimize size={16} /> : <IconArrowsMaximize size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
