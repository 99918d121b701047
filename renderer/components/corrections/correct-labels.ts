import type { CorrectionKind } from '#shared/domain/corrections.ts';

/** What is chosen in a menu to enter a correction of each kind, in the order of menus. */
export const CORRECT_LABELS: Readonly<Record<CorrectionKind, string>> = {
  quality: 'Quality…',
  calibration: 'Calibrate…',
  time: 'Clock was wrong…',
  replaced: 'Replace device…',
  derived: 'Computed key…',
};
