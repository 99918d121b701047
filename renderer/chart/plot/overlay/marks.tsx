import type { TimeSpan } from '../../time/window.ts';
import classes from './overlay.module.css';
import { across, percent } from './place.ts';

interface MarksProps {
  readonly window: TimeSpan;
  /** What is pointed at, in µs; null where nothing is. */
  readonly cursor: number | null;
  readonly a?: number | undefined;
  readonly b?: number | undefined;
}

/** The line under the cursor and those of the marks A and B. */
export function Marks({ window, cursor, a, b }: MarksProps) {
  const isSeen = (instant: number | null | undefined): instant is number =>
    typeof instant === 'number' && instant >= window.from && instant <= window.to;
  return (
    <>
      {isSeen(cursor) && (
        <div className={classes['cursor']} data-cursor style={{ left: percent(across(cursor, window)) }} />
      )}
      {(
        [
          ['A', a],
          ['B', b],
        ] as const
      ).map(
        ([name, instant]) =>
          isSeen(instant) && (
            <div
              key={name}
              className={classes['mark']}
              data-mark={name}
              style={{ left: percent(across(instant, window)) }}
            >
              <span className={classes['flag']}>{name}</span>
            </div>
          ),
      )}
    </>
  );
}
