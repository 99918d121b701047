import classes from './device-cells.module.css';
import { tailOf } from '../shown/shown-keys.ts';

interface AlignedNumberProps {
  readonly text: string;
  /** Characters from the point on of the longest of its column; 0: all have as many. */
  readonly tail: number;
}

/** A number with its unit whose decimal point stands below those above it. */
export function AlignedNumber({ text, tail }: AlignedNumberProps) {
  if (tail === 0) return <bdi>{text}</bdi>;
  const end = tailOf(text);
  return (
    <bdi>
      {text.slice(0, text.length - end.length)}
      <span className={classes['tail']} style={{ minWidth: `${tail}ch` }}>
        {end}
      </span>
    </bdi>
  );
}
