import { Tooltip } from '@mantine/core';
import { useMemo } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { lineWords, type Called } from '../../components/corrections/correction-words.ts';
import { CorrectionLines } from '../../components/corrections/corrections-link.tsx';
import { countOf } from '../../format.ts';
import type { TimeSpan } from '../time/window.ts';
import classes from './correction-bands.module.css';
import { correctionBands } from './correction-bands.ts';

interface CorrectionBandsProps {
  /** The oldest first. */
  readonly corrections: readonly ShownCorrection[];
  readonly called: Called;
  /** What the plot shows, from its left edge to its right one, and of which view. */
  readonly window: TimeSpan;
  readonly view: View;
  readonly onOpen: (corrections: readonly ShownCorrection[]) => void;
}

/** Pixels from a lane to the one above, and below the lowest: spans of notes have the axis itself. */
const LANE = 7;
const BELOW = 4;

/** Corrected spans as thin lines above the time axis. A layer over a plot; nothing but the lines is in anyone's way. */
export function CorrectionBands({ corrections, called, window, view, onOpen }: CorrectionBandsProps) {
  const { from, to } = window;
  const bands = useMemo(
    () => correctionBands(corrections, { from, to }, view),
    [corrections, from, to, view],
  );
  return (
    <div className={classes['layer']} role="group" aria-label="Corrected spans">
      {bands.map(({ lane, left, right, corrections: all }, index) => {
        const newest = all.at(-1);
        if (!newest) return null;
        return (
          <Tooltip
            key={`${lane} ${newest.id} ${index}`}
            label={<CorrectionLines list={all} called={called} />}
            multiline
            maw={440}
            events={{ hover: true, focus: true, touch: true }}
          >
            <button
              type="button"
              className={classes['band']}
              data-correction={newest.id}
              data-quality={newest.quality}
              style={{
                bottom: BELOW + lane * LANE,
                left: `${left * 100}%`,
                width: `${(right - left) * 100}%`,
              }}
              aria-label={
                all.length === 1
                  ? lineWords(newest, called)
                  : `${countOf(all.length, 'correction')}, the newest: ${lineWords(newest, called)}`
              }
              onClick={() => onOpen(all)}
            />
          </Tooltip>
        );
      })}
    </div>
  );
}
