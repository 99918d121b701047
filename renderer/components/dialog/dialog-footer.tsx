import { Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog-footer.module.css';
import { Problem } from '../work/problem.tsx';

interface DialogFooterProps {
  /** Why the main button did not do it; absent or null where it was not tried. */
  readonly problem?: string | null;
  readonly children: ReactNode;
}

/**
 * A dialog's buttons, the main one last, and what came of pressing it: in sight however low the window is and wherever
 * the dialog was scrolled. The last thing in a dialog.
 */
export function DialogFooter({ problem = null, children }: DialogFooterProps) {
  return (
    <Group justify="flex-end" gap="sm" className={classes['footer'] ?? ''}>
      {problem !== null && (
        <Box w="100%">
          <Problem message={problem} />
        </Box>
      )}
      {children}
    </Group>
  );
}
