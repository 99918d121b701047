import { IconEqualNot } from '@tabler/icons-react';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import classes from './curve.module.css';
import { deviationSentence, deviationText } from './deviation-words.ts';
import type { DayDeviation } from './like-spans.ts';

interface DeviationCellProps {
  readonly deviation: DayDeviation;
  /** Digits behind the point. */
  readonly decimals: number;
  readonly settings: Pick<KeySettings, 'unit'>;
}

/** How far a device lies from the others, marked where it is unlike them. */
export function DeviationCell({ deviation, decimals, settings }: DeviationCellProps) {
  const { isUnlike } = deviation;
  return (
    <span
      className={classes['deviation']}
      data-unlike={isUnlike}
      title={deviationSentence(deviation, deviation.by, decimals, settings)}
    >
      {isUnlike && (
        <span className={classes['mark']} role="img" aria-label="Not like the others">
          <IconEqualNot size={14} aria-hidden />
        </span>
      )}
      <bdi>{deviationText(deviation, decimals, settings)}</bdi>
    </span>
  );
}
