import { useMemo } from 'react';
import { formatNumber } from '../numbers.ts';
import { curvePath, type KeyCourse } from './curve-path.ts';
import classes from './rows-table.module.css';

interface CurveProps {
  readonly name: string;
  readonly times: readonly number[];
  readonly course: KeyCourse | undefined;
  readonly width?: number;
}

const CURVE_HEIGHT = 56;
const WIDTH = 160;

/** A column of the whole file as a small picture, its times from left to right. */
export function Curve({ name, times, course, width = WIDTH }: CurveProps) {
  const path = useMemo(
    () => (course ? curvePath(times, course, width, CURVE_HEIGHT) : ''),
    [course, times, width],
  );
  if (!course || path === '') return <div className={classes['noCurve']} />;
  const words = `${name}: ${rangeOf(course)}`;
  return (
    <svg
      className={classes['curve']}
      viewBox={`0 0 ${width} ${CURVE_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** `12.3 … 45.6`: the smallest and the largest number; the empty text where there is none. */
export function rangeOf({ least, most }: Pick<KeyCourse, 'least' | 'most'>): string {
  const [low, high] = [least, most].map((list) => list.filter((number) => number !== null));
  if (!low || !high || low.length === 0) return '';
  const ends = [low.reduce((a, b) => Math.min(a, b)), high.reduce((a, b) => Math.max(a, b))];
  return [...new Set(ends.map((number) => formatNumber(number, { room: 9 })))].join(' … ');
}
