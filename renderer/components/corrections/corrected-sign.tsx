import { IconAdjustmentsCheck } from '@tabler/icons-react';

const WORDS = 'Corrected: its Corrections tab says what and why';

/** Sign of a device whose values are read through corrections, where there is little room. */
export function CorrectedSign() {
  return (
    // Not a tooltip of Mantine's: a list has one of these in many of its rows.
    <span
      role="img"
      aria-label={WORDS}
      title={WORDS}
      style={{ display: 'inline-flex', flex: 'none', color: 'var(--mantine-color-anchor)' }}
    >
      <IconAdjustmentsCheck size={14} aria-hidden />
    </span>
  );
}
