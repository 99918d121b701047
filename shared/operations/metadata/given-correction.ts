import type { CorrectionVersion, GivenCorrection, ShownCorrection } from './corrections.ts';

type Shown = Pick<ShownCorrection, 'kind'> &
  NonNullable<CorrectionVersion['after']> &
  Partial<ShownCorrection>;

/** Returns what makes a correction as it is shown, which edits take. */
export function givenOf(shown: Shown): GivenCorrection {
  const { id: _, device_id: __, version: ___, created: ____, changed: _____, by: ______, ...fields } = shown;
  const { calibrated_by, ...given } = fields;
  return { ...given, ...(calibrated_by !== undefined && { by: calibrated_by }) };
}
