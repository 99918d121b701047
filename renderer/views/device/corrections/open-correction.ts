import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { openDialog, type ToCorrect } from '../../../stores/dialog.ts';

/** Opens a correction to be changed. A computed key has no dialog. */
export function openCorrection({
  correction,
  ...of
}: Pick<ToCorrect, 'project_id' | 'device' | 'zone'> & { readonly correction: ShownCorrection }): void {
  const { kind } = correction;
  if (kind !== 'derived') openDialog({ kind: 'correct', what: kind, ...of, correction });
}
