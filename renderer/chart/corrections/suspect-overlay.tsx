import { useMemo } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { across, percent } from '../plot/overlay/place.ts';
import type { TimeSpan } from '../time/window.ts';
import classes from './correction-bands.module.css';
import { suspectSpans } from './suspect-spans.ts';

interface SuspectOverlayProps {
  readonly corrections: readonly ShownCorrection[];
  /** Of the lines of the plot. */
  readonly keys: readonly string[];
  readonly window: TimeSpan;
  readonly view: View;
}

/** Tints where values of a plot are marked as suspect, which are drawn and counted all the same. What and why says the line above the axis. */
export function SuspectOverlay({ corrections, keys, window, view }: SuspectOverlayProps) {
  const named = JSON.stringify(keys);
  const spans = useMemo(() => {
    const all = (JSON.parse(named) as readonly string[]).flatMap((key) =>
      suspectSpans(corrections, key, view),
    );
    return [...new Map(all.map((span) => [`${span.from} ${span.to}`, span])).values()];
  }, [corrections, named, view]);
  return (
    <div className={classes['layer']} aria-hidden>
      {spans.map(({ from, to }) => {
        const [left, right] = [Math.max(0, across(from, window)), Math.min(1, across(to, window))];
        if (right < 0 || left > 1) return null;
        return (
          <div
            key={`${from} ${to}`}
            className={classes['suspect']}
            data-suspect
            style={{ left: percent(left), width: percent(right - left) }}
          />
        );
      })}
    </div>
  );
}
