import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import {
  IconAdjustmentsCheck,
  IconChevronDown,
  IconCopy,
  IconDownload,
  IconFlag,
  IconTrash,
  IconZoomIn,
} from '@tabler/icons-react';
import { countOf, formatCount, formatSpan } from '../../format.ts';
import { zoneOffset, type Zone } from '../../time.ts';
import type { TimeSpan } from '../time/window.ts';
import { timesText } from './legend/legend.tsx';

export interface SelectionActions {
  readonly onZoom: () => void;
  /** Each null where it is not offered. */
  readonly onExport: (() => void) | null;
  readonly onNote: (() => void) | null;
  /** What can be put right of the span; empty where nothing is offered. */
  readonly onCorrect: readonly { readonly label: string; readonly run: () => void }[];
  readonly onCopy: () => void;
  readonly onDelete: (() => void) | null;
  /** Why nothing can be deleted here, where it can be elsewhere. */
  readonly whyNoDelete: string | null;
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
  const { onZoom, onExport, onNote, onCorrect, onCopy, onDelete, whyNoDelete } = actions;
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
        {onCorrect.length > 0 && (
          <Menu position="bottom-start" withinPortal>
            <Menu.Target>
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<IconAdjustmentsCheck size={14} />}
                rightSection={<IconChevronDown size={12} />}
              >
                Correct
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {onCorrect.map(({ label, run }) => (
                <Menu.Item key={label} onClick={run}>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
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
      {whyNoDelete !== null && (
        <Text size="xs" c="dimmed" mt={2}>
          {whyNoDelete}
        </Text>
      )}
    </Paper>
  );
}
