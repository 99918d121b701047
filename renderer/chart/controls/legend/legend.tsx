import { Text } from '@mantine/core';
import { useIsOver } from '../../../components/screen/use-is-over.ts';
import { useRef, type ClipboardEvent, type ReactNode, type RefObject } from 'react';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { formatClock, formatDay, formatTime, zoneOffset, type Zone } from '../../../time.ts';
import type { ChartLine } from '../../draw/chart-line.ts';
import type { ChartColors } from '../../plot/palette.ts';
import { useShownFigures } from './columns.ts';
import type { Write } from './figures.ts';
import { FiguresMenu } from './figures-menu.tsx';
import { LegendRow, type LegendHandlers } from './legend-row.tsx';
import classes from './legend.module.css';
import type { Readout } from './readings.ts';
import { copiedText } from './table-text.ts';

export interface LegendProps extends LegendHandlers {
  readonly lines: readonly ChartLine[];
  readonly hidden: ReadonlySet<string>;
  readonly colors: ChartColors;
  readonly zone: Zone;
  /** What is read at the cursor, one a line; null where there is nothing. */
  readonly readout: Readout | null;
  /** Whether it says what is newest, not what is under the cursor. */
  readonly isNewest: boolean;
  /** From mark A to mark B, one a line; null without both marks. */
  readonly deltas: readonly (number | null)[] | null;
  /** Of the span that is seen or selected, one a line. */
  readonly statistics: readonly (KeyStatistics | undefined)[];
  /** Of what the figures are, where that is not the span that is seen. */
  readonly figuresOf?: string | null;
  /** What stands beside the name of a line. */
  readonly renderChoice?: (line: ChartLine) => ReactNode;
  readonly table?: RefObject<HTMLTableElement | null>;
  readonly writeOf: (line: ChartLine) => Write;
  /** What stands beside the time: the marks, more keys. */
  readonly head?: ReactNode;
  readonly foot?: ReactNode;
}

/** The lines of a chart: which are shown, what they read at the cursor, and what they come to in the span that is seen. */
export function Legend({ lines, hidden, colors, zone, readout, isNewest, deltas, ...rest }: LegendProps) {
  const {
    statistics,
    figuresOf = null,
    writeOf,
    renderChoice,
    head,
    foot,
    onToggle,
    onOnly,
    onFind,
    onMove,
  } = rest;
  const own = useRef<HTMLTableElement>(null);
  const table = rest.table ?? own;
  const figures = useShownFigures();
  const { end, isOver } = useIsOver();
  const copy = (event: ClipboardEvent) => {
    const text = table.current && copiedText(table.current, window.getSelection());
    if (text === null) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', text);
  };
  return (
    <>
      <div
        className={classes['legend']}
        data-testid="chart-readout"
        data-over={isOver || undefined}
        onCopy={copy}
      >
        <div className={classes['head']}>
          <ReadAt readout={readout} isNewest={isNewest} zone={zone} />
          {head}
          <span className={classes['choice']}>
            {figuresOf !== null && (
              <Text span inherit className={classes['of'] ?? ''} data-testid="figures-of">
                {figuresOf}
              </Text>
            )}
            <FiguresMenu />
          </span>
        </div>
        <div className={classes['frame']} role="group" aria-label="Keys">
          <table
            ref={table}
            className={classes['table']}
            aria-label="Lines of the chart"
            data-selected={figuresOf !== null || undefined}
          >
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">{isNewest ? 'newest' : 'at cursor'}</th>
                <th scope="col" className={classes['unit']}>
                  unit
                </th>
                {deltas && (
                  <th scope="col" title="From mark A to mark B">
                    Δ A–B
                  </th>
                )}
                {figures.map(({ id, label, about, copied }) => (
                  <th key={id} scope="col" title={about} data-copied={copied}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map((line, index) => (
                <LegendRow
                  key={line.id}
                  line={line}
                  isHidden={hidden.has(line.id)}
                  colors={colors}
                  read={readout?.values[index]}
                  delta={deltas === null ? undefined : (deltas[index] ?? null)}
                  statistics={statistics[index]}
                  figures={figures}
                  write={writeOf(line)}
                  choice={renderChoice?.(line)}
                  onToggle={onToggle}
                  onOnly={onOnly}
                  onFind={onFind}
                  onMove={onMove}
                  above={lines[index - 1]?.id}
                  below={lines[index + 1]?.id}
                />
              ))}
            </tbody>
          </table>
        </div>
        <div className={classes['foot']}>{foot}</div>
      </div>
      <div ref={end} className={classes['end']} aria-hidden />
    </>
  );
}

interface ReadAtProps {
  readonly readout: Readout | null;
  readonly isNewest: boolean;
  readonly zone: Zone;
}

function ReadAt({ readout, isNewest, zone }: ReadAtProps) {
  if (!readout) return <span />;
  const { from, to } = readout;
  return (
    <Text
      span
      inherit
      c="dimmed"
      title={to === null ? formatMicros(from) : `${formatMicros(from)} – ${formatMicros(to)}`}
    >
      {isNewest && 'Newest: '}
      {timesText(from, to, zone)} {zoneOffset(from, zone)}
    </Text>
  );
}

/** `2026-01-05 08:00:01 – 08:00:02`; the day once where it is one. */
export function timesText(from: Micros, to: Micros | null, zone: Zone): string {
  if (to === null) return formatTime(from, zone);
  const end = formatDay(to, zone) === formatDay(from, zone) ? formatClock(to, zone) : formatTime(to, zone);
  return `${formatTime(from, zone)} – ${end}`;
}
