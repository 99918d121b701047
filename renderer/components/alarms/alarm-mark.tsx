import { IconBellRinging } from '@tabler/icons-react';
import { countOf } from '../../format.ts';
import classes from './alarm-mark.module.css';

interface AlarmMarkProps {
  /** Open alarms; there is no mark for none. */
  readonly open: number;
  /** Hides the words but on hover and for screen readers, where there is little room. */
  readonly short?: boolean;
  readonly size?: number;
}

/** Mark of a device or project with open alarms: a shape and words, not colour alone. */
export function AlarmMark({ open, short = false, size = 14 }: AlarmMarkProps) {
  if (open === 0) return null;
  const words = countOf(open, 'open alarm');
  return (
    // Not a tooltip of Mantine's: a list has one of these in many of its rows.
    <span className={classes['mark']} title={words} {...(short && { role: 'img', 'aria-label': words })}>
      <IconBellRinging size={size} aria-hidden />
      {!short && words}
    </span>
  );
}
