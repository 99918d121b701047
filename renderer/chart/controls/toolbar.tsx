import { ActionIcon, Group, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronLeft,
  IconChevronRight,
  IconZoomOut,
  IconZoomReset,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './toolbar.module.css';

interface StepProps {
  readonly label: string;
  readonly icon: Icon;
  readonly onClick: (() => void) | null;
}

/** A button of the toolbar that is a sign alone; null where there is nothing to do. */
function Step({ label, icon: Sign, onClick }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={label}
        // A button that is disabled loses the focus, which it has when it was pressed by the keyboard.
        {...(onClick === null && { 'data-disabled': true, 'aria-disabled': true })}
        onClick={() => onClick?.()}
      >
        <Sign size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** What each part of the toolbar does; null where there is nothing to do. */
export interface ToolbarSteps {
  readonly earlier: (() => void) | null;
  readonly later: (() => void) | null;
  readonly back: (() => void) | null;
  readonly forward: (() => void) | null;
  readonly zoomOut: (() => void) | null;
  readonly reset: (() => void) | null;
}

interface ToolbarProps {
  readonly steps: ToolbarSteps;
  /** The range menu. */
  readonly range: ReactNode;
  /** What stands behind the range. */
  readonly children?: ReactNode;
}

/** Buttons above a chart: one line, whose words give way where there is little room (`data-spare`, `data-opens`). */
export function ToolbarLine({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes['room']}>
      <Group gap="xs" role="toolbar" aria-label="Chart" className={classes['toolbar'] ?? ''}>
        {children}
      </Group>
    </div>
  );
}

/**
 * What stands above a chart: what can be used now. Ways back stand last, so that nothing moves when there begin to be any;
 * from then on they stay, grey where there is nothing to do.
 */
export function Toolbar({ steps, range, children }: ToolbarProps) {
  const { earlier, later, back, forward, zoomOut, reset } = steps;
  const hasWays = [back, forward, zoomOut, reset].some((way) => way !== null);
  return (
    <ToolbarLine>
      <Group gap={0} wrap="nowrap">
        {earlier && <Step label="As much time before" icon={IconChevronLeft} onClick={earlier} />}
        {range}
        {later && <Step label="As much time after" icon={IconChevronRight} onClick={later} />}
      </Group>
      {children}
      {hasWays && (
        <Group gap={0} wrap="nowrap">
          <Step label="Back to the view before (Backspace)" icon={IconArrowBackUp} onClick={back} />
          <Step label="Forward again" icon={IconArrowForwardUp} onClick={forward} />
          <Step label="Zoom out (−)" icon={IconZoomOut} onClick={zoomOut} />
          <Step label="Reset: the whole range, and axes as they come" icon={IconZoomReset} onClick={reset} />
        </Group>
      )}
    </ToolbarLine>
  );
}
