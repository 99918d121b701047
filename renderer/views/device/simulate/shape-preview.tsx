import { useMemo } from 'react';
import type { Shape, SimulatedValue } from '#shared/domain/shapes.ts';
import { shortNumber } from '../../../components/facts/key-words.ts';
import { trendPath } from '../../../chart/draw/trend-path.ts';
import { formatSpan } from '../../../format.ts';
import { columnsOf, previewOf } from './shape-draft.ts';
import classes from './simulate-dialog.module.css';

interface ShapePreviewProps {
  readonly name: string;
  readonly shape: Shape;
  readonly seed: number;
  readonly every_ms: number;
}

const WIDTH = 220;
const HEIGHT = 44;

/** What a key will hold at first, without trouble: the values themselves, as the service makes them. */
export function ShapePreview({ name, shape, seed, every_ms }: ShapePreviewProps) {
  // As text: a draft makes another object of the same shape with each letter.
  const text = JSON.stringify(shape);
  const values = useMemo(
    () => previewOf(name, JSON.parse(text) as Shape, { seed, every_ms }),
    [name, text, seed, every_ms],
  );
  const numbers = values.filter((value) => typeof value === 'number');
  const span = `first ${formatSpan(values.length * every_ms * 1000)}`;
  if (numbers.length < values.length)
    return (
      <div className={classes['preview']} role="img" aria-label={`${name}, ${span}: ${turns(values)}`}>
        <span className={classes['turns']}>{turns(values)}</span>
        <span className={classes['span']}>{span}</span>
      </div>
    );
  const { min, max } = columnsOf(numbers, WIDTH);
  const [least, most] = [Math.min(...min), Math.max(...max)];
  return (
    <div
      className={classes['preview']}
      role="img"
      aria-label={`${name}, ${span}: ${short(least)} to ${short(most)}`}
    >
      <svg
        viewBox={`0 0 ${min.length} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path d={trendPath({ min, max }, HEIGHT)} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className={classes['span']}>
        {short(least)} to {short(most)}, {span}
      </span>
    </div>
  );
}

/** Four digits, and all of those before the point. */
const short = (number: number) =>
  shortNumber(Math.abs(number) < 1000 ? Number(number.toPrecision(4)) : Math.round(number), {
    decimals: null,
  });

/** `running, idle, running …`: values that follow one another, each once. */
function turns(values: readonly SimulatedValue[]): string {
  const changes = values.filter((value, at) => value !== values[at - 1]);
  return changes.slice(0, 4).join(', ') + (changes.length > 4 ? ' …' : '');
}
