import { Alert, Skeleton, Table, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Impact } from '#shared/schemas.ts';
import type { DeletedCounts } from '#shared/schemas.ts';
import { parseInstant } from '#shared/time.ts';
import { useOffline } from '../../bridge/connection.ts';
import { countOf, formatBytes, formatCount } from '../../format.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { FormDialog } from './form-dialog.tsx';
import { Moment } from '../facts/moment.tsx';
import { sayDone } from '../work/notices.ts';
import { Problem } from '../work/problem.tsx';
import { useJob, type JobOf } from '../work/use-job.ts';
import { useRead } from '../work/use-read.ts';
import { useSubmit } from './use-submit.ts';
import { WorkProgress } from '../work/work-progress.tsx';

/** The end of every such warning. */
export const CANNOT_BE_UNDONE = 'This cannot be undone.';

interface ConfirmByNameProps {
  readonly title: string;
  readonly action: string;
  /** What is about to happen, in a sentence; that it cannot be undone is said after it. */
  readonly warning: string;
  /** The name that has to be typed. */
  readonly name: string;
  /** Whether only records go, so that functions and widgets need no mention. */
  readonly recordsOnly?: boolean;
  /** Reads what would go. A function of its own for each dialog: it is called again when it changes. */
  readonly readImpact: () => Promise<Impact>;
  /** The long work that the act becomes. */
  readonly work: JobOf;
  /** Does it; resolves with what went. */
  readonly act: () => Promise<DeletedCounts>;
  /** Says that it is done. */
  readonly done: string;
  readonly onDone?: () => void;
}

/** The last step before data goes for good: exactly what would go, then the name typed, then the act and its result. */
export function ConfirmByName({ readImpact, act, name, work, ...text }: ConfirmByNameProps) {
  const { value: impact, error: problem, retry } = useRead(readImpact);
  const offline = useOffline();
  const [typed, setTyped] = useState('');
  const job = useJob(work);
  const submit = useSubmit(async () => {
    const deleted = await act();
    closeDialog();
    text.onDone?.();
    sayDone(text.done, `${listCounts(deleted)} removed.`);
  });

  return (
    <FormDialog
      title={text.title}
      action={text.action}
      submit={submit}
      disabled={typed.trim() !== name.trim() || impact === null}
      danger
    >
      <Alert color="danger" variant="light" icon={<IconAlertTriangle size={18} />} p="sm">
        <Text size="sm">
          {text.warning} {CANNOT_BE_UNDONE}
        </Text>
      </Alert>
      {!offline && problem !== null && <Problem message={problem} onRetry={retry} />}
      {!offline && problem === null && !impact && (
        <Skeleton h={120} aria-label="Counting what would be removed" />
      )}
      {impact && <ImpactTable impact={impact} recordsOnly={text.recordsOnly ?? false} />}
      <TextInput
        label="Type the name to confirm"
        description={name}
        styles={{ description: { fontWeight: 600, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } }}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {submit.busy && (
        <WorkProgress
          label={text.action}
          done={job?.done ?? 0}
          total={job?.total ?? null}
          format={(done) => (job ? countOf(done, job.unit.slice(0, -1)) : 'Working…')}
        />
      )}
    </FormDialog>
  );
}

/** `1 device, 22,695 records`. */
function listCounts(deleted: DeletedCounts): string {
  const nouns = ['devices', 'records', 'functions', 'widgets'] as const;
  const parts = nouns.flatMap((noun) => {
    const count = deleted[noun];
    return count === undefined || (count === 0 && noun !== 'records')
      ? []
      : [countOf(count, noun.slice(0, -1))];
  });
  return parts.join(', ');
}

function ImpactTable({ impact, recordsOnly }: { readonly impact: Impact; readonly recordsOnly: boolean }) {
  const { deleted, first, last } = impact;
  const rows: [string, ReactNode][] = [];
  if (!recordsOnly && deleted.devices !== undefined) rows.push(['Devices', formatCount(deleted.devices)]);
  rows.push(['Data', countOf(deleted.records, 'record')]);
  if (first !== null) rows.push(['First record', <MomentOf key="first" text={first} />]);
  if (last !== null) rows.push(['Last record', <MomentOf key="last" text={last} />]);
  rows.push(['Size on disk', formatBytes(impact.bytes)]);
  if (!recordsOnly) {
    if (deleted.functions) rows.push(['Functions', formatCount(deleted.functions)]);
    if (deleted.widgets) rows.push(['Widgets', formatCount(deleted.widgets)]);
    if (impact.widgets_trimmed > 0)
      rows.push(['Widgets kept', `${countOf(impact.widgets_trimmed, 'widget')} would lose a source`]);
  }
  return (
    <Table withTableBorder aria-label="What would be removed" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th w={130} fw={500} c="dimmed">
              {label}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function MomentOf({ text }: { readonly text: string }) {
  const at = parseInstant(text);
  return at === null ? text : <Moment at={at} />;
}
