import { Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { CorrectionVersion } from '#shared/operations/metadata/corrections.ts';
import { parseInstant } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import {
  ACT_WORDS,
  versionOf,
  versionWords,
  type Called,
} from '../../../components/corrections/correction-words.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import type { TableColumn } from '../../../components/table/column.ts';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { useRead } from '../../../components/work/use-read.ts';
import { compareNames, compareTexts } from '../../../order.ts';
import type { Place } from './change-corrections.ts';
import { TwoLines } from './correction-columns.tsx';
import classes from './corrections-panel.module.css';

interface CorrectionHistoryProps extends Place {
  readonly called: Called;
  /** Read again for another one. */
  readonly revision: string;
  /** Whose versions are shown; absent: all. */
  readonly correction_id?: string | undefined;
}

/** What was made, changed and removed of the corrections of a device, the latest first. */
export function CorrectionHistory(props: CorrectionHistoryProps) {
  const { project_id, device_id, called, revision, correction_id } = props;
  const read = useCallback(
    () => versionsAt(revision, { project_id, device_id }, correction_id),
    [project_id, device_id, correction_id, revision],
  );
  const { value, error, retry } = useRead(read);
  const columns = useMemo(() => versionColumns(called), [called]);
  if (error !== null && !value) return <Problem message={error} onRetry={retry} />;
  if (!value) return <Loading flex={1} label="Loading the history" />;
  return (
    <>
      {error !== null && <Problem message={error} onRetry={retry} />}
      {value.length === 0 ? (
        <Text c="dimmed">Nothing was corrected so far.</Text>
      ) : (
        <VirtualTable
          label="History of corrections"
          rows={value}
          columns={columns}
          density="tall"
          rowKey={({ correction_id: id, version, act }) => `${id} ${version} ${act}`}
        />
      )}
    </>
  );
}

/** `_revision` is the state of the corrections that it is asked for. */
function versionsAt(
  _revision: string,
  of: Place,
  correction_id?: string,
): Promise<readonly CorrectionVersion[]> {
  return ask('corrections.history', { ...of, ...(correction_id !== undefined && { correction_id }) });
}

function versionColumns(called: Called): readonly TableColumn<CorrectionVersion>[] {
  return [
    {
      id: 'at',
      header: 'When',
      width: 'minmax(178px, 1fr)',
      compare: (a, b) => compareTexts(a.at, b.at),
      cell: ({ at, by }) => <TwoLines first={<Moment at={parseInstant(at) ?? 0} coarse />} second={by} />,
    },
    {
      id: 'act',
      header: 'What',
      width: 'minmax(140px, 1fr)',
      compare: (a, b) => compareNames(ACT_WORDS[a.act], ACT_WORDS[b.act]),
      cell: (version) => <TwoLines first={ACT_WORDS[version.act]} second={versionOf(version, called)} />,
    },
    {
      id: 'before',
      header: 'Before',
      width: 'minmax(140px, 2fr)',
      cell: (version) => <Lines>{versionWords(version, version.before, called)}</Lines>,
    },
    {
      id: 'after',
      header: 'After',
      width: 'minmax(140px, 2fr)',
      cell: (version) => <Lines>{versionWords(version, version.after, called)}</Lines>,
    },
    {
      id: 'reason',
      header: 'Reason',
      width: 'minmax(110px, 1fr)',
      rank: 0,
      cell: ({ reason = '' }) => <Lines>{reason}</Lines>,
    },
  ];
}

function Lines({ children }: { readonly children: string }) {
  return (
    <span title={children} dir="auto" className={classes['lines']}>
      {children}
    </span>
  );
}
