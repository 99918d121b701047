import type { MouseEvent } from 'react';
import classes from './table.module.css';
import type { Ticked } from './use-ticked.ts';

/** Pixels of the column of ticks. */
export const TICK_WIDTH = 40;

interface TickAllProps {
  /** Whether every row of the table is ticked. */
  readonly isAll: boolean;
  readonly ticked: Ticked;
}

/** Over the ticks: ticks every row, or none. */
export function TickAll({ isAll, ticked }: TickAllProps) {
  return (
    <div role="columnheader" aria-label="Selected" className={classes['tick']}>
      <input
        type="checkbox"
        aria-label="Select all"
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = !isAll && ticked.ids.size > 0;
        }}
        onChange={isAll ? ticked.none : ticked.all}
      />
    </div>
  );
}

interface TickProps {
  /** Name of the row. */
  readonly name: string;
  readonly index: number;
  readonly isTicked: boolean;
  readonly ticked: Ticked;
}

/** The tick of a row; with Shift it ticks every row from the last one to it. */
export function Tick({ name, index, isTicked, ticked }: TickProps) {
  const tick = ({ shiftKey }: MouseEvent) => (shiftKey ? ticked.extendTo(index) : ticked.toggle(index));
  return (
    <div role="cell" className={classes['tick']}>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={isTicked}
        tabIndex={-1}
        readOnly
        onClick={tick}
      />
    </div>
  );
}
