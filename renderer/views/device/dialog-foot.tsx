import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './import-dialog.module.css';

/** The buttons of a dialog, which stay in view however low the window is. */
export function DialogFoot({ children }: { readonly children: ReactNode }) {
  return (
    <Group justify="flex-end" className={classes['foot'] ?? ''}>
      {children}
    </Group>
  );
}
