import type { ReactNode } from 'react';
import fullClasses from '../full-screen/full-screen.module.css';
import type { FullScreen } from '../full-screen/use-full-screen.ts';
import classes from './chart-frame.module.css';

interface ChartBoxProps {
  /** What tests call it. */
  readonly name: 'chart' | 'compare';
  readonly state: string;
  /** Records that are drawn. */
  readonly points: number;
  readonly full: FullScreen;
  /** How far loading is, while that is worth saying. */
  readonly progress?: ReactNode;
  readonly children: ReactNode;
}

/** What a chart stands in, with its toolbar and its legend: a part of the screen, or all of it. */
export function ChartBox({ name, state, points, full, progress, children }: ChartBoxProps) {
  return (
    <div
      className={`${classes['panel']} ${full.isFull ? fullClasses['full'] : ''}`}
      data-testid={name}
      data-state={state}
      data-points={points}
    >
      {children}
      <div className={classes['progress']}>{progress}</div>
    </div>
  );
}
