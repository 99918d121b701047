import { Button, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { PlannedDevice, Pushed, PushPlan } from '#shared/operations/records/push.ts';
import type { TableColumn } from '../../components/table/column.ts';
import { countColumn, nameColumn } from '../../components/table/usual-columns.ts';
import { VirtualTable } from '../../components/table/virtual-table.tsx';
import { compareNames } from '../../order.ts';
import { noteOf, STATE_WORDS } from './plan-words.ts';
import classes from './push-screen.module.css';

interface PlanTableProps {
  readonly plan: PushPlan;
  readonly pushed: Pushed | null;
  /** Sends a device into another one of the lab: needs another plan. */
  readonly onInto: (id: string, target: string) => void;
}

/** A plan, a device a row. */
export function PlanTable({ plan, pushed, onInto }: PlanTableProps) {
  const columns = useMemo(() => columnsOf(pushed, onInto), [pushed, onInto]);
  return <VirtualTable label="Plan" rows={plan.devices} columns={columns} rowKey={({ id }) => id} />;
}

const COUNT_WIDTH = '135px';

function columnsOf(
  pushed: Pushed | null,
  onInto: PlanTableProps['onInto'],
): readonly TableColumn<PlannedDevice>[] {
  return [
    nameColumn(
      'minmax(140px, 1fr)',
      ({ name }) => (
        <Text size="sm" fw={500} truncate title={name} dir="auto">
          {name}
        </Text>
      ),
      'Device',
    ),
    {
      id: 'state',
      header: 'In the lab',
      width: '110px',
      compare: (a, b) => compareNames(a.state, b.state),
      cell: ({ state }) => (
        <Text span size="sm" c={state === 'refused' ? 'danger' : 'var(--mantine-color-text)'}>
          {STATE_WORDS[state]}
        </Text>
      ),
    },
    countColumn('send', 'To send', COUNT_WIDTH),
    countColumn('present', 'There already', COUNT_WIDTH, 3),
    countColumn('removed', 'Removed there', COUNT_WIDTH, 1),
    countColumn('conflicting', 'In conflict', COUNT_WIDTH, 2),
    {
      id: 'note',
      header: 'Note',
      width: 'minmax(300px, 2fr)',
      cell: (device) => <Note device={device} pushed={pushed} onInto={onInto} />,
    },
  ];
}

function Note({ device, pushed, onInto }: Omit<PlanTableProps, 'plan'> & { readonly device: PlannedDevice }) {
  const [namesake] = device.namesakes;
  if (namesake && pushed === null)
    return (
      <Button
        size="compact-sm"
        variant="default"
        title={`The lab has another device of this name, ${namesake.id}`}
        onClick={() => onInto(device.id, namesake.id)}
      >
        <span>
          Send into the lab’s “<bdi>{namesake.name}</bdi>”
        </span>
      </Button>
    );
  const note = noteOf(device, pushed);
  return (
    <Text className={classes['note'] ?? ''} size="sm" lh={1.35} lineClamp={2} title={note}>
      {note}
    </Text>
  );
}
