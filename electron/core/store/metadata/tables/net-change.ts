import type { Layer } from './layer.ts';
import type { PendingDeletion } from '../metadata-schema.ts';
import type { Weights } from '../weights.ts';

/** A delete that is noted as begun, or is crossed out: that takes only what names it. */
export type DeletionAct = { readonly note: PendingDeletion } | { readonly cross_out: PendingDeletion };

/** Net effect of one or more changes. */
export interface NetChange {
  /** The rows as they are then. */
  readonly rows: Layer;
  readonly next_sequence: number;
  /** Change of the bytes of all rows. */
  readonly weights: Weights;
  /** One after the other. */
  readonly deletions: readonly DeletionAct[];
  /** Lines of the audit trail that tell of it. */
  readonly trail: readonly string[];
}

export function withActs(
  deletions: readonly PendingDeletion[],
  acts: readonly DeletionAct[],
): readonly PendingDeletion[] {
  let after = deletions;
  for (const act of acts)
    after = 'note' in act ? [...after, act.note] : after.filter((each) => !isSame(each, act.cross_out));
  return after;
}

/** A project's delete is of all its devices, so the first one names it. */
const isSame = (a: PendingDeletion, b: PendingDeletion) =>
  a.kind === b.kind && a.project_id === b.project_id && a.device_ids[0] === b.device_ids[0];

/** Returns the identity of a delete. */
export const nameOf = ({ kind, project_id, device_ids }: PendingDeletion): PendingDeletion => ({
  kind,
  project_id,
  device_ids: device_ids.slice(0, 1),
});
