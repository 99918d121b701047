import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronLeft,
  IconChevronRight,
  IconLayoutList,
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
  readonly isStacked: boolean;
  readonly onStack: (stacked: boolean) => void;
  /** The range menu. */
  readonly range: ReactNode;
  /** The menu of value axes. */
  readonly y: ReactNode;
  /** What a screen adds of its own, on the right. */
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

/** What stands above a chart. */
export function Toolbar({ steps, isStacked, onStack, range, y, children }: ToolbarProps) {
  const { earlier, later, back, forward, zoomOut, reset } = steps;
  return (
    <ToolbarLine>
      <Group gap={0} wrap="nowrap">
        <Step label="As much time before" icon={IconChevronLeft} onClick={earlier} />
        {range}
        <Step label="As much time after" icon={IconChevronRight} onClick={later} />
      </Group>
      <Group gap={0} wrap="nowrap">
        <Step label="Back to the view before (Backspace)" icon={IconArrowBackUp} onClick={back} />
        <Step label="Forward again" icon={IconArrowForwardUp} onClick={forward} />
        <Step label="Zoom out (−)" icon={IconZoomOut} onClick={zoomOut} />
      </Group>
      {y}
      <Button
        variant={isStacked ? 'light' : 'default'}
        leftSection={<IconLayoutList size={16} />}
        aria-pressed={isStacked}
        title="Each key in a plot of its own"
        data-spare
        onClick={() => onStack(!isStacked)}
      >
        Stacked
      </Button>
      <Button
        variant="default"
        leftSection={<IconZoomReset size={16} />}
        title="The whole range, and axes as they come"
        data-spare
        {...(reset === null && { 'data-disabled': true, 'aria-disabled': true })}
        onClick={() => reset?.()}
      >
        Reset
      </Button>
      {children}
    </ToolbarLine>
  );
}
