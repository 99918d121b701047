import type { KeyboardEvent, ReactNode } from 'react';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { KeyName } from '../../../components/facts/key-name.tsx';
import type { ChartLine } from '../../draw/chart-line.ts';
import type { ChartColors } from '../../plot/palette.ts';
import { LineSwatch } from '../line-swatch.tsx';
import type { FigureColumn, Write } from './figures.ts';
import classes from './legend.module.css';
import type { ReadValue } from './readings.ts';
import { useLineDrag } from './use-line-drag.ts';

export interface LegendHandlers {
  readonly onToggle: (id: string) => void;
  /** Shows this line alone; all of them again where it is alone. */
  readonly onOnly: (id: string) => void;
  /** The line that is looked for, or null. */
  readonly onFind: (id: string | null) => void;
  /** Gives a line the place of another one; absent where their order is not theirs. */
  readonly onMove?: ((id: string, to: string) => void) | undefined;
}

interface LegendRowProps extends LegendHandlers {
  readonly line: ChartLine;
  readonly isHidden: boolean;
  readonly colors: ChartColors;
  readonly read: ReadValue | undefined;
  /** Absent: there are no marks. */
  readonly delta: number | null | undefined;
  readonly statistics: KeyStatistics | undefined;
  readonly figures: readonly FigureColumn[];
  readonly write: Write;
  /** What stands beside the name. */
  readonly choice: ReactNode;
  /** The lines above and below. */
  readonly above: string | undefined;
  readonly below: string | undefined;
}

export function LegendRow({
  line,
  isHidden,
  colors,
  read,
  delta,
  statistics,
  figures,
  write,
  ...rest
}: LegendRowProps) {
  const { onToggle, onOnly, onFind, onMove, choice, above, below } = rest;
  const { id, label, key, look, unit } = line;
  const drag = useLineDrag(id, onMove);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = event.altKey ? { ArrowUp: above, ArrowDown: below }[event.key] : undefined;
    const isAlone = event.key === 'Enter' && event.shiftKey;
    if (isAlone) onOnly(id);
    if (to !== undefined) onMove?.(id, to);
    if (isAlone || to !== undefined) event.preventDefault();
  };
  return (
    <tr
      className={isHidden ? classes['hidden'] : undefined}
      data-line={id}
      onPointerEnter={() => onFind(id)}
      onPointerLeave={() => onFind(null)}
      onFocus={() => onFind(id)}
      onBlur={() => onFind(null)}
    >
      <th scope="row">
        <div className={classes['key']}>
          <button
            type="button"
            role="checkbox"
            aria-checked={!isHidden}
            className={classes['name']}
            title={`${label === key ? key : `${label} (${key})`}: a click hides or shows it, a double click or Shift Enter shows it alone${onMove ? '; drag it, or press Alt and an arrow, to change the order' : ''}`}
            onClick={() => onToggle(id)}
            onDoubleClick={() => onOnly(id)}
            onKeyDown={onKeyDown}
            {...drag}
          >
            <LineSwatch look={look} colors={colors} />
            <KeyName name={label} />
          </button>
          {choice}
        </div>
      </th>
      <td>{read && <Value read={read} write={write} />}</td>
      <td className={classes['unit']}>{unit}</td>
      {delta !== undefined && (
        <td data-exact={delta ?? undefined} title={delta === null ? undefined : String(delta)}>
          {delta === null ? '–' : `${delta > 0 ? '+' : ''}${write(delta)}`}
        </td>
      )}
      {figures.map(({ id: figure, text, exact }) => {
        const number = statistics && exact(statistics);
        return (
          <td
            key={figure}
            data-figure={figure}
            {...(typeof number === 'number' && { title: String(number), 'data-exact': number })}
          >
            {statistics ? text(statistics, write) : ''}
          </td>
        );
      })}
    </tr>
  );
}

function Value({ read: { numbers, age }, write }: { readonly read: ReadValue; readonly write: Write }) {
  const exact = numbers.join(' … ');
  return (
    <>
      {age !== null && <span className={classes['age']}>({age}) </span>}
      <span
        className={age === null ? classes['value'] : classes['old']}
        title={exact}
        data-exact={exact}
        data-testid="value"
      >
        {numbers.length === 0 ? '–' : numbers.map((number) => write(number)).join(' … ')}
      </span>
    </>
  );
}
