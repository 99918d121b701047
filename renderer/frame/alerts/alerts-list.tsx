import { Button, Drawer, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { MOST_ALERTED } from '#shared/domain/alerts.ts';
import type { Alerts } from '#shared/operations/metadata/alerts.ts';
import { parseInstant } from '#shared/values/time.ts';
import { useLostAt } from '../../bridge/connection.ts';
import { Moment } from '../../components/facts/moment.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { countOf } from '../../format.ts';
import { formatClock } from '../../time.ts';
import { alerts, useChanged } from '../../stores/alerts/alerts.ts';
import { subjectOf, type Log } from '../../stores/alerts/changes.ts';
import { AlarmsPart } from './alarms-part.tsx';
import { AlertRow } from './alert-row.tsx';
import { rowOfChange, rowOfState, type AlertRow as Row } from './alert-words.ts';
import classes from './alerts.module.css';
import { alertsTray } from '../../stores/trays/alerts-tray.ts';

/** What changed since somebody looked, and below it what is late or outside as it was then. */
export function AlertsList({ opened }: { readonly opened: boolean }) {
  const { value, error } = alerts.useValue('all');
  const { log, lookedAt } = useChanged();
  const lostAt = useLostAt();
  const now = parseInstant(value?.as_of ?? '') ?? 0;
  const changed = [...log.values()].toSorted((a, b) => b.at - a.at).map((change) => rowOfChange(change, now));
  const standing = value ? standingOf(value, log) : [];
  return (
    <Drawer
      opened={opened}
      onClose={alertsTray.close}
      position="right"
      size={460}
      title="Alerts"
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error !== null && <Problem message={error} onRetry={alerts.reload} />}
      <AlarmsPart />
      <Title order={3} size="h6" id="alerts-changed">
        Changed since you last looked
        {lookedAt !== null && (
          <Text span inherit fw={400} c="dimmed">
            {' '}
            <Moment at={lookedAt} coarse />
          </Text>
        )}
      </Title>
      {changed.length === 0 && (
        <Text size="sm" c="dimmed" mt={4} mb="lg">
          {value === null ? 'Not known yet.' : standing.length > 0 ? 'Nothing.' : ALL_WELL}
        </Text>
      )}
      <Rows rows={changed} label="Changed since you last looked" isFirst />
      {standing.length > 0 && (
        <Title order={3} size="h6">
          As it was then
        </Title>
      )}
      <Rows rows={standing} label="As it was then" isFirst={changed.length === 0} />
      {value?.complete === false && (
        <Text size="xs" c="dimmed" mb="sm">
          The {MOST_ALERTED} devices where that came about last. Of all of them: search for
          status:late,outside in the list of a project.
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {lostAt === null
          ? 'Fieldbench looks every 10 s while this window is open.'
          : `As of ${formatClock(lostAt)}: the service cannot be reached.`}{' '}
        Closing this list counts as having looked.
        {value?.devices.some(({ corrected }) => corrected) &&
          ' Values of devices with corrections are the corrected ones.'}
      </Text>
    </Drawer>
  );
}

const ALL_WELL = 'Nothing. No device is late, and no value outside its normal range.';

/** What is wrong now and did not change since. */
function standingOf({ devices, as_of }: Alerts, log: Log): readonly Row[] {
  const now = parseInstant(as_of) ?? 0;
  return devices.flatMap((device) => [
    ...(device.late_since !== null && log.get(subjectOf(device.id, null))?.kind !== 'late'
      ? [rowOfState(device, null, now)]
      : []),
    ...device.values
      .filter(({ key, outside }) => outside && log.get(subjectOf(device.id, key))?.kind !== 'outside')
      .map((value) => rowOfState(device, value, now)),
  ]);
}

/** Rows at first: what is looked at is at the top. */
const FIRST = 50;

interface RowsProps {
  readonly rows: readonly Row[];
  readonly label: string;
  /** Whether the first row has the focus as the list opens. */
  readonly isFirst: boolean;
}

function Rows({ rows, label, isFirst }: RowsProps) {
  const [isWhole, setIsWhole] = useState(false);
  if (rows.length === 0) return null;
  const shown = isWhole ? rows : rows.slice(0, FIRST);
  return (
    <>
      <ul className={classes['list']} aria-label={label}>
        {shown.map((row, at) => (
          <AlertRow
            key={subjectOf(row.device.id, row.value?.key ?? null)}
            row={row}
            isFirst={isFirst && at === 0}
          />
        ))}
      </ul>
      {shown.length < rows.length && (
        <Button variant="default" size="xs" mb="lg" onClick={() => setIsWhole(true)}>
          Show {countOf(rows.length - shown.length, 'more', 'more')}
        </Button>
      )}
    </>
  );
}
