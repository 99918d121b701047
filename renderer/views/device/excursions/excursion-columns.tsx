import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { roughDuration } from '../../../components/facts/duration-words.ts';
import { formatValue } from '../../../components/facts/key-words.ts';
import { spanText } from '../../../components/facts/span-words.ts';
import type { TableColumn } from '../../../components/table/column.ts';
import { compareTexts } from '../../../order.ts';
import { formatTime, type Zone } from '../../../time.ts';
import times from '../times/times-panel.module.css';
import type { ExcursionRow } from './excursion-rows.ts';

/** Around an excursion there is this much to see, µs; around a longer one a fifth of it on each side. */
const AROUND_US = 60e6;

function windowAround({ from, to }: ExcursionRow): TimeSpan {
  const margin = Math.max(AROUND_US, Math.ceil((to - from) / 5));
  return { from: from - margin, to: to + margin };
}

/** What was not measured stands before all that was. */
const worstOf = ({ worst }: ExcursionRow) => worst ?? -Number.MAX_VALUE;
const lengthOf = ({ from, to }: ExcursionRow) => to - from;

interface Look {
  readonly settings: KeySettings;
  readonly zone: Zone;
  /** Address of the chart of a window. */
  readonly hrefOf: (window: TimeSpan) => string;
}

export function excursionColumns({ settings, zone, hrefOf }: Look): readonly TableColumn<ExcursionRow>[] {
  return [
    {
      id: 'time',
      header: 'Time, leads to the chart',
      width: 'minmax(320px, 2fr)',
      compare: (a, b) => a.from - b.from,
      cell: (row) => (
        <a href={hrefOf(windowAround(row))} className={times['time']}>
          {spanText(row.from, row.from === row.to ? null : row.to, zone)}
        </a>
      ),
    },
    {
      id: 'what',
      header: 'Was',
      width: '130px',
      compare: (a, b) => compareTexts(a.what, b.what),
      cell: ({ what }) => what,
    },
    {
      id: 'length',
      header: 'Length',
      width: '125px',
      align: 'end',
      greatestFirst: true,
      compare: (a, b) => lengthOf(a) - lengthOf(b),
      cell: (row) => (lengthOf(row) === 0 ? 'one reading' : roughDuration(lengthOf(row) / 1e6)),
    },
    {
      id: 'worst',
      header: 'Worst',
      width: '115px',
      rank: 2,
      align: 'end',
      about: 'The value furthest outside.',
      compare: (a, b) => worstOf(a) - worstOf(b) || 0,
      cell: ({ worst, at }) =>
        worst === null || at === null ? (
          ''
        ) : (
          <span title={`at ${formatTime(at, zone)}`}>{formatValue(worst, settings)}</span>
        ),
    },
    {
      id: 'at',
      header: 'at',
      width: '180px',
      rank: 1,
      about: 'When that was measured.',
      compare: (a, b) => (a.at ?? 0) - (b.at ?? 0),
      cell: ({ at }) => (at === null ? '' : formatTime(at, zone)),
    },
  ];
}
