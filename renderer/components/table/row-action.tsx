import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

interface RowActionProps {
  /** Its first word is shown where it is pointed at. */
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Action on a row: an icon button among others. */
export function RowAction({ label, onClick, children }: RowActionProps) {
  return (
    <Tooltip label={label.split(' ')[0]}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
