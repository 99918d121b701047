import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './plot-over.module.css';

interface PlotNoticesProps {
  /** Whether values lie beyond the axes. */
  readonly isCut: boolean;
  /** Whether nothing lies in the window. */
  readonly isBlank: boolean;
  readonly onShowAll: () => void;
}

/** Notices of data that a plot does not show. */
export function PlotNotices({ isCut, isBlank, onShowAll }: PlotNoticesProps) {
  return (
    <>
      {isCut && (
        <Group gap={6} className={classes['cut'] ?? ''} role="note" data-testid="chart-cut">
          <IconAlertTriangle size={14} aria-hidden />
          <Text span size="xs">
            Outliers lie beyond the axis (▲▼).
          </Text>
          <Button size="compact-xs" variant="default" onClick={onShowAll}>
            Show all
          </Button>
        </Group>
      )}
      {isBlank && (
        <Text role="status" c="dimmed" className={classes['blank'] ?? ''}>
          These keys have no numbers in this span. Reset shows everything.
        </Text>
      )}
    </>
  );
}
