import { Button, Group, Paper, Text } from '@mantine/core';
import { IconCopy, IconDownload, IconFlag, IconTrash, IconZoomIn } from '@tabler/icons-react';
import { countOf, formatCount, formatSpan } from '../../format.ts';
import { zoneOffset, type Zone } from '../../time.ts';
import type { TimeSpan } from '../time/window.ts';
import { timesText } from './legend/legend.tsx';

export interface SelectionActions {
  readonly onZoom: () => void;
  /** Each null where it is not offered. */
  readonly onExport: (() => void) | null;
  readonly onNote: (() => void) | null;
  readonly onCopy: () => void;
  readonly onDelete: (() => void) | null;
}

interface SelectionBarProps extends SelectionActions {
  readonly selection: TimeSpan;
  /** Null until the service has counted them. */
  readonly records: number | null;
  readonly zone: Zone;
}

/** What can be done with the span that is selected. */
export function SelectionBar({ selection, records, zone, ...actions }: SelectionBarProps) {
  const { from, to } = selection;
  const { onZoom, onExport, onNote, onCopy, onDelete } = actions;
  const isEmpty = records === 0;
  return (
    <Paper withBorder shadow="sm" px="xs" py={6} role="toolbar" aria-label="Selection">
      <Text size="xs" role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {timesText(from, to, zone)} {zoneOffset(from, zone)} · {formatSpan(to - from)} ·{' '}
        {records === null ? 'counting…' : countOf(records, 'record')}
      </Text>
      <Group gap={4} mt={4}>
        <Button size="compact-xs" leftSection={<IconZoomIn size={14} />} onClick={onZoom} title="Enter">
          Zoom
        </Button>
        {onExport && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            onClick={onExport}
          >
            Export…
          </Button>
        )}
        {onNote && (
          <Button size="compact-xs" variant="default" leftSection={<IconFlag size={14} />} onClick={onNote}>
            Note…
          </Button>
        )}
        <Button size="compact-xs" variant="default" leftSection={<IconCopy size={14} />} onClick={onCopy}>
          Copy times
        </Button>
        {onDelete && (
          <Button
            size="compact-xs"
            variant="light"
            color="danger"
            leftSection={<IconTrash size={14} />}
            disabled={records === null || isEmpty}
            onClick={onDelete}
          >
            {records === null ? 'Delete…' : `Delete ${formatCount(records)}…`}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
