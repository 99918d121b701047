import { useState, type ReactNode } from 'react';
import type { KeyReading } from '#shared/bridge/wire.ts';
import { useIsOver } from '../../components/screen/use-is-over.ts';
import type { Zone } from '../../time.ts';
import type { AxisSide } from '../draw/chart-line.ts';
import type { Pane } from '../scale/panes.ts';
import type { TimeSpan } from '../time/window.ts';
import type { ChartColors } from './palette.ts';
import classes from './panes.module.css';
import { TimeChart } from './time-chart.tsx';
import type { WheelStep } from './wheel.ts';

export interface PanesProps {
  readonly panes: readonly Pane[];
  readonly window: TimeSpan;
  readonly colors: ChartColors;
  readonly zone: Zone;
  /** The number of each line of the chart that is spoken of. */
  readonly marked: readonly (KeyReading | null)[];
  readonly strong: string | null;
  readonly onWidth: (pixels: number) => void;
  readonly onCursor: (instant: number | null) => void;
  readonly onSelect: (from: number, to: number) => void;
  readonly onPress: () => void;
  readonly onWheel: (step: WheelStep, pane: Pane) => boolean;
  /** A double click on a pane's plot, or on an axis of it. */
  readonly onBack: (axis: AxisSide | null, pane: Pane) => void;
  /** What lies over a pane. */
  readonly renderOver: (pane: Pane, place: number) => ReactNode;
}

/** Least room for an axis in plots above one another. */
const STACKED_AXIS = 88;

/** The plots of a chart above one another, with one time below them, which stays in sight with the last one where they are scrolled. */
export function Panes({ panes, marked, onWheel, onBack, renderOver, ...shared }: PanesProps) {
  const isStacked = panes.length > 1;
  const { end, isOver } = useIsOver();
  const keys = panes.map(({ id }) => id).join('\n');
  const [widest, setWidest] = useState({ keys, axis: STACKED_AXIS });
  const room = widest.keys === keys ? widest.axis : STACKED_AXIS;
  // Long numbers need more room; all plots get it, so that they begin at the same place.
  const widen = (left: number) => left > room && setWidest({ keys, axis: left });
  return (
    <div className={classes['panes']}>
      {panes.map((pane, place) => {
        const isLast = place === panes.length - 1;
        return (
          <div
            key={pane.id}
            className={isLast ? classes['last'] : classes['pane']}
            {...(isStacked && { 'data-pane': pane.id, 'data-over': (isLast && isOver) || undefined })}
          >
            <TimeChart
              {...shared}
              lines={pane.lines}
              drawing={pane.drawing}
              behind={pane.behind}
              ranges={pane.ranges}
              marked={marked.length === 0 ? NONE : pane.places.map((line) => marked[line] ?? null)}
              isTimed={isLast}
              {...(isStacked && { narrowestAxis: room, onBegin: widen })}
              onWheel={(step) => onWheel(step, pane)}
              onBack={(axis) => onBack(axis, pane)}
            >
              {renderOver(pane, place)}
            </TimeChart>
          </div>
        );
      })}
      <div ref={end} className={classes['end']} aria-hidden />
    </div>
  );
}

const NONE: readonly (KeyReading | null)[] = [];
