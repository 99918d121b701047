import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog-footer.module.css';

/** A dialog's buttons, the main one last: in sight however low the window is. The last thing in a dialog. */
export function DialogFooter({ children }: { readonly children: ReactNode }) {
  return (
    <Group justify="flex-end" gap="sm" className={classes['footer'] ?? ''}>
      {children}
    </Group>
  );
}
