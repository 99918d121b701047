import { IconAdjustmentsCheck } from '@tabler/icons-react';
import { countOf } from '../../format.ts';

/** What the sign of a project says: of how many of its devices. */
export const correctedOf = (devices: number): string =>
  `${countOf(devices, 'device')} corrected: the Corrections tab of each says what and why`;

/** Words of the sign of a device none of whose shown values is of a corrected key. */
export const OTHERS_CORRECTED = 'Other keys are corrected: its Corrections tab says what and why';

/** Words of the sign of a value. */
const OF_VALUE = 'Corrected: the Corrections tab says what and why';

interface CorrectedSignProps {
  readonly words?: string;
  readonly size?: number;
}

/** Sign of a value whose key is read through corrections, where there is little room; or of a device or a project with such. */
export function CorrectedSign({ words = OF_VALUE, size = 14 }: CorrectedSignProps) {
  return (
    // Not a tooltip of Mantine's: a list has one of these in many of its rows.
    <span
      role="img"
      aria-label={words}
      title={words}
      style={{ display: 'inline-flex', flex: 'none', color: 'var(--mantine-color-anchor)' }}
    >
      <IconAdjustmentsCheck size={size} aria-hidden />
    </span>
  );
}
