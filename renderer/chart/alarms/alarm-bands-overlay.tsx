import { Tooltip } from '@mantine/core';
import { useMemo } from 'react';
import { countOf } from '../../format.ts';
import { percent } from '../plot/overlay/place.ts';
import type { TimeSpan } from '../time/window.ts';
import classes from './alarm-bands.module.css';
import { alarmBands, type AlarmBand, type AlarmSpan } from './alarm-bands.ts';

interface AlarmBandsProps {
  readonly spans: readonly AlarmSpan[];
  /** Span of the plot, from its left edge to its right one. */
  readonly window: TimeSpan;
  /** Whether they can be pressed here: in one plot of several. */
  readonly isTop: boolean;
  readonly onOpen: (band: AlarmBand) => void;
}

/** Least widths in pixels, as alarm-bands.module.css has them. */
const LEAST_TINT = 2;
const LEAST_BAR = 8;

/** Stretches that a tooltip reads out; a band may stand for hundreds. */
const MOST_READ = 8;

/** Alarms as tinted stretches of a plot, with a bar at its top that says what they are. */
export function AlarmBands({ spans, window, isTop, onOpen }: AlarmBandsProps) {
  const { from, to } = window;
  const bands = useMemo(() => alarmBands(spans, { from, to }), [spans, from, to]);
  return (
    <div className={classes['layer']} {...(isTop && { role: 'group', 'aria-label': 'Alarms' })}>
      {bands.map((band) => {
        const { left, right, kind, spans: all } = band;
        const [first] = all;
        if (!first) return null;
        const width = percent(right - left);
        // An alarm that has only begun is seen at the edge, too.
        const placeOf = (least: number) => ({ left: `min(${percent(left)}, 100% - ${least}px)`, width });
        return (
          <div key={`${kind} ${first.id}`}>
            <div className={classes['tint']} data-kind={kind} style={placeOf(LEAST_TINT)} aria-hidden />
            {isTop && (
              <Tooltip
                label={<Read spans={all} />}
                multiline
                maw={400}
                events={{ hover: true, focus: true, touch: true }}
              >
                <button
                  type="button"
                  className={classes['bar']}
                  data-kind={kind}
                  data-alarm={first.id}
                  style={placeOf(LEAST_BAR)}
                  aria-label={
                    all.length === 1
                      ? first.words
                      : `${countOf(all.length, kind === 'tried' ? 'firing' : 'alarm')}, the first: ${first.words}`
                  }
                  onClick={() => onOpen(band)}
                />
              </Tooltip>
            )}
          </div>
        );
      })}
    </div>
  );
}

function Read({ spans }: { readonly spans: readonly AlarmSpan[] }) {
  return (
    <>
      {spans.slice(0, MOST_READ).map(({ id, words }) => (
        <div key={id} dir="auto">
          {words}
        </div>
      ))}
      {spans.length > MOST_READ && <div>and {spans.length - MOST_READ} more</div>}
    </>
  );
}
