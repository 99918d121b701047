import type { ChartAddress, ChartChange } from '../../../chart/address.ts';
import type { FixableAxis } from '../../../chart/controls/y-menu.tsx';
import { stepBack, turnWheel, type Views } from '../../../chart/controls/use-views.ts';
import type { AxisSide } from '../../../chart/draw/chart-line.ts';
import { sidesOf } from '../../../chart/plot/axes.ts';
import type { WheelStep } from '../../../chart/plot/wheel.ts';
import type { Pane } from '../../../chart/scale/panes.ts';
import { zoomAxis, type AxisSpan } from '../../../chart/scale/y-mode.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';

interface Asked {
  readonly panes: readonly Pane[];
  readonly chart: ChartAddress;
  readonly change: (change: ChartChange) => void;
  readonly views: Views;
  readonly window: TimeSpan;
}

export interface Axes {
  readonly list: readonly FixableAxis[];
  readonly fix: (axis: string, span: AxisSpan | null) => void;
  /** Handles a step of the wheel; returns whether it had a use for it. */
  readonly wheel: (step: WheelStep, pane: Pane) => boolean;
  readonly doubleClick: (side: AxisSide | null, pane: Pane) => void;
}

const SIDES = { left: 'Left axis', right: 'Right axis' } as const;

/** The value axes, and what wheel and double click do to them and to the window. */
export function useAxes({ panes, chart, change, views, window }: Asked): Axes {
  const { fixed = {}, window: chosen } = chart;
  const fix = (axis: string, span: AxisSpan | null) => {
    const { [axis]: _before, ...others } = fixed;
    const next = span ? { ...others, [axis]: span } : others;
    change({ fixed: Object.keys(next).length > 0 ? next : null });
  };
  return {
    list: panes.flatMap((pane) =>
      sidesOf(pane.lines).map((side) => ({
        id: nameOf(side, pane),
        label: pane.id ? (pane.lines[0]?.label ?? pane.id) : labelOf(side, pane),
        span: pane.ranges[side] ?? null,
      })),
    ),
    fix,
    wheel(step, pane) {
      if (step.kind === 'axis') {
        const span = pane.ranges[step.side];
        if (span)
          fix(
            nameOf(step.side, pane),
            zoomAxis(span, step.factor, span[0] + step.place * (span[1] - span[0])),
          );
        return span !== undefined;
      }
      return turnWheel(step, { views, window, isChosen: chosen !== undefined });
    },
    doubleClick(side, pane) {
      if (side) fix(nameOf(side, pane), null);
      else stepBack(views);
    },
  };
}

/** As the address names an axis. */
function nameOf(side: AxisSide, { id }: Pane): string {
  return id || side;
}

function labelOf(side: AxisSide, { lines }: Pane): string {
  const own = lines.filter(({ axis }) => axis === side).map(({ label }) => label);
  return `${SIDES[side]}: ${own.join(', ')}`;
}
