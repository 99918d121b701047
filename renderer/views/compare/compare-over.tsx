import { unitOf } from '../../chart/plot/axes.ts';
import { Marks } from '../../chart/plot/overlay/marks.tsx';
import { PaneName } from '../../chart/plot/overlay/pane-name.tsx';
import { down, percent } from '../../chart/plot/overlay/place.ts';
import type { Pane } from '../../chart/scale/panes.ts';
import type { TimeSpan } from '../../chart/time/window.ts';
import type { CompareMode } from '../../chart/compare/modes.ts';
import classes from './compare.module.css';
import type { Compared } from '../../chart/compare/compared.ts';

interface CompareOverProps {
  readonly pane: Pane;
  readonly mode: CompareMode;
  readonly devices: readonly Compared[];
  readonly window: TimeSpan;
  readonly cursor: number | null;
}

/** What lies over a plot: whose it is, where a difference is none, and the cursor of all. */
export function CompareOver({ pane, mode, devices, window, cursor }: CompareOverProps) {
  return (
    <>
      {mode === 'difference' && <Zero pane={pane} />}
      {mode === 'stacked' && (
        <PaneName
          name={devices.find(({ device_id }) => device_id === pane.id)?.label ?? ''}
          unit={unitOf(pane.lines)}
        />
      )}
      <Marks window={window} cursor={cursor} />
    </>
  );
}

function Zero({ pane: { ranges } }: { readonly pane: Pane }) {
  const span = ranges.left ?? ranges.right;
  if (!span || span[0] > 0 || span[1] < 0) return null;
  return <div className={classes['zero']} data-testid="zero" style={{ top: percent(down(0, span)) }} />;
}
