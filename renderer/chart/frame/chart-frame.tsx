import { useState, type CSSProperties, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { Deferred } from '../controls/deferred.tsx';
import { Legend, type LegendProps } from '../controls/legend/legend.tsx';
import { Panes, type PanesProps } from '../plot/panes.tsx';
import type { Pane } from '../scale/panes.ts';
import type { TimeSpan } from '../time/window.ts';
import classes from './chart-frame.module.css';

interface ChartFrameProps extends Pick<LegendProps, 'lines' | 'hidden' | 'colors' | 'zone'> {
  readonly ref?: Ref<HTMLDivElement>;
  /** The lines that are spoken of. */
  readonly names: readonly string[];
  /** The keys that it has beside those of every chart, as a part of a sentence. */
  readonly moreKeys?: string;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly panes: readonly Pane[];
  /** The span in sight; null: nothing is drawn. */
  readonly window: TimeSpan | null;
  readonly plot: Pick<
    PanesProps,
    'marked' | 'onWidth' | 'onCursor' | 'onSelect' | 'onPress' | 'onWheel' | 'onBack'
  >;
  /** What lies over a pane. `strong` is the line that is looked for in the legend, `top` the place of the uppermost pane in sight. */
  readonly renderOver: (pane: Pane, place: number, strong: string | null, top: number) => ReactNode;
  /** Over all plots, or in their place. */
  readonly over?: ReactNode;
  readonly legend: Omit<LegendProps, 'lines' | 'hidden' | 'colors' | 'zone' | 'onFind'>;
  /** Between plots and legend. */
  readonly children?: ReactNode;
}

/** The plots of a chart, which take the focus and its keys together, and the legend below them. */
export function ChartFrame(props: ChartFrameProps) {
  const { ref, names, moreKeys = '', onKeyDown, lines, hidden, colors, zone, panes, window, plot } = props;
  const { renderOver, over, legend, children } = props;
  const [strong, setStrong] = useState<string | null>(null);
  const [top, setTop] = useState(0);
  return (
    <>
      <div
        ref={ref}
        className={classes['frame']}
        role="group"
        aria-label={`Chart of ${names.join(', ')} over time. Arrow keys move, plus and minus zoom, 0 shows everything${moreKeys}.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => setTop(uppermost(currentTarget))}
        data-stacked={panes.length > 1 || undefined}
        style={{ '--panes': panes.length } as CSSProperties}
      >
        {window && (
          <div className={classes['plot']}>
            <Panes
              {...plot}
              panes={panes}
              window={window}
              colors={colors}
              zone={zone}
              strong={strong}
              renderOver={(pane, place) => renderOver(pane, place, strong, Math.min(top, panes.length - 1))}
            />
          </div>
        )}
        {over}
      </div>
      {children}
      <Deferred>
        <Legend {...legend} lines={lines} hidden={hidden} colors={colors} zone={zone} onFind={setStrong} />
      </Deferred>
    </>
  );
}

/** The place of the first pane whose upper edge is in sight. */
function uppermost(frame: HTMLElement): number {
  const edge = frame.getBoundingClientRect().top - 1;
  const panes = [...frame.querySelectorAll('[data-pane]')];
  return Math.max(
    0,
    panes.findIndex((pane) => pane.getBoundingClientRect().top >= edge),
  );
}
