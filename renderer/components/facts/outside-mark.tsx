import { IconAlertTriangle } from '@tabler/icons-react';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { normalText } from './key-words.ts';
import classes from './outside-mark.module.css';

interface OutsideMarkProps {
  /** Of the key whose value it is; absent where several may be meant. */
  readonly settings?: Pick<KeySettings, 'low' | 'high' | 'unit'>;
  /** Hides the word but on hover and for screen readers, where there is little room. */
  readonly short?: boolean;
  readonly size?: number;
}

/** Mark of a value outside of its key's normal range: a shape and a word, not colour alone. */
export function OutsideMark({ settings, short = false, size = 14 }: OutsideMarkProps) {
  const words = `Outside its normal range${settings ? `, ${normalText(settings)}` : ''}`;
  return (
    // Not a tooltip of Mantine's: a list has one of these in many of its rows.
    <span className={classes['mark']} title={words} {...(short && { role: 'img', 'aria-label': words })}>
      <IconAlertTriangle size={size} aria-hidden />
      {!short && 'outside'}
    </span>
  );
}
