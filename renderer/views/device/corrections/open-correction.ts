import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { openDialog, type ToCorrect } from '../../../stores/dialog.ts';

/** Opens a correction to be changed. */
export function openCorrection({
  correction,
  ...of
}: Pick<ToCorrect, 'project_id' | 'device' | 'zone'> & { readonly correction: ShownCorrection }): void {
  openDialog({ kind: 'correct', what: correction.kind, ...of, correction });
}
