import type { ReactNode } from 'react';
import type { ChartAddress, ChartChange } from '../../../chart/address.ts';
import { RangeMenu } from '../../../chart/controls/range-menu.tsx';
import { Toolbar } from '../../../chart/controls/toolbar.tsx';
import type { Views } from '../../../chart/controls/use-views.ts';
import { ALL } from '../../../chart/time/range.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';

interface ChartToolbarProps {
  readonly chart: ChartAddress;
  readonly change: (change: ChartChange) => void;
  readonly views: Views;
  /** Visible span; null for none. */
  readonly seen: TimeSpan | null;
  readonly children?: ReactNode;
}

/** The toolbar of a device's chart. */
export function ChartToolbar({ chart, change, views, seen, children }: ChartToolbarProps) {
  const { range = ALL, window = null, zone = 'local', fixed = {} } = chart;
  const isReset = window === null && Object.keys(fixed).length === 0;
  const { shift } = views;
  return (
    <Toolbar
      steps={{
        earlier: shift && (() => shift(-1)),
        later: shift && (() => shift(1)),
        back: views.back,
        forward: views.forward,
        zoomOut: window && (() => views.zoomBy(2, null)),
        reset: isReset
          ? null
          : () => {
              views.look(null);
              change({ fixed: null });
            },
      }}
      range={
        <RangeMenu
          view={{ range, window }}
          seen={seen}
          zone={zone}
          onView={(view) => views.show(view)}
          onZone={(next) => change({ zone: next === 'utc' ? next : null })}
        />
      }
    >
      {children}
    </Toolbar>
  );
}
