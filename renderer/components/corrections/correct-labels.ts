import type { CorrectionKind } from '#shared/domain/corrections.ts';

/** Menu labels by which a correction of each kind is entered, in the order of menus. */
export const CORRECT_LABELS: Readonly<Record<CorrectionKind, string>> = {
  quality: 'Quality…',
  calibration: 'Calibrate…',
  time: 'Clock was wrong…',
  replaced: 'Replace device…',
  derived: 'Computed key…',
};
