import { Text } from '@mantine/core';
import { IconHistory, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { parseInstant } from '#shared/values/time.ts';
import {
  correctionWords,
  keyWords,
  KIND_WORDS,
  lineWords,
  spanWords,
  type Called,
} from '../../../components/corrections/correction-words.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import type { TableColumn } from '../../../components/table/column.ts';
import { RowAction } from '../../../components/table/row-action.tsx';
import { actionsColumn } from '../../../components/table/usual-columns.ts';
import { compareNames, compareTexts } from '../../../order.ts';
import classes from './corrections-panel.module.css';

interface RowActions {
  /** Address of the chart around a correction. */
  readonly hrefOf: (correction: ShownCorrection) => string;
  /** Each null where it is not offered. */
  readonly change: ((correction: ShownCorrection) => void) | null;
  readonly remove: ((correction: ShownCorrection) => void) | null;
  readonly history: (correction: ShownCorrection) => void;
  /** How much of a correction a newer one takes. */
  readonly overruled: ReadonlyMap<string, 'all' | 'part'>;
}

const OVERRULED = {
  all: 'a newer one holds in its place',
  part: 'a newer one holds in its place in part',
} as const;

/** The columns of the list of corrections. */
export function correctionColumns(called: Called, row: RowActions): readonly TableColumn<ShownCorrection>[] {
  const words = (correction: ShownCorrection) => correctionWords(correction, called);
  return [
    {
      id: 'kind',
      header: 'Kind',
      width: 'minmax(160px, 0.6fr)',
      compare: (a, b) => compareNames(KIND_WORDS[a.kind], KIND_WORDS[b.kind]),
      cell: (correction) => (
        <TwoLines first={KIND_WORDS[correction.kind]} second={keyWords(correction, called)} />
      ),
    },
    {
      id: 'says',
      header: 'Correction',
      width: 'minmax(180px, 3fr)',
      compare: (a, b) => compareNames(words(a), words(b)),
      cell: (correction) => {
        const taken = row.overruled.get(correction.id);
        const { kind, reason } = correction;
        return (
          <span title={lineWords(correction, called)} className={classes['lines']}>
            <bdi>{words(correction)}</bdi>
            {taken && (
              <Text inherit span c="dimmed">
                {' '}
                ({OVERRULED[taken]})
              </Text>
            )}
            {/* A quality is told by its reason. */}
            {kind !== 'quality' && reason !== undefined && (
              <Text inherit span c="dimmed" dir="auto" display="block">
                {reason}
              </Text>
            )}
          </span>
        );
      },
    },
    {
      id: 'span',
      header: 'Of',
      width: 'minmax(178px, 1fr)',
      about: 'Times as they were stored',
      compare: (a, b) => compareTexts(a.from ?? a.until ?? '', b.from ?? b.until ?? ''),
      cell: (correction) => (
        <a
          href={row.hrefOf(correction)}
          className={classes['span']}
          title={spanWords(correction, called.zone)}
        >
          {spanWords(correction, called.zone, false)}
        </a>
      ),
    },
    {
      id: 'changed',
      header: 'Changed',
      width: 'minmax(116px, 0.6fr)',
      rank: 2,
      compare: (a, b) => compareTexts(a.changed, b.changed),
      cell: ({ changed, by }) => (
        <TwoLines first={<Moment at={parseInstant(changed) ?? 0} day />} second={by} />
      ),
    },
    actionsColumn('112px', (correction) => (
      <>
        <RowAction
          label={`History of ${lineWords(correction, called)}`}
          onClick={() => row.history(correction)}
        >
          <IconHistory size={16} />
        </RowAction>
        {row.change && (
          <RowAction
            label={`Change ${lineWords(correction, called)}…`}
            onClick={() => row.change?.(correction)}
          >
            <IconPencil size={16} />
          </RowAction>
        )}
        {row.remove && (
          <RowAction
            label={`Remove ${lineWords(correction, called)}`}
            onClick={() => row.remove?.(correction)}
          >
            <IconTrash size={16} />
          </RowAction>
        )}
      </>
    )),
  ];
}

interface TwoLinesProps {
  readonly first: ReactNode;
  readonly second: string;
}

/** What a row is, and below it of what or by whom. */
export function TwoLines({ first, second }: TwoLinesProps) {
  return (
    <>
      <span className={classes['one']}>{first}</span>
      <Text inherit span c="dimmed" className={classes['one'] ?? ''} title={second} dir="auto">
        {second}
      </Text>
    </>
  );
}
