import type { Row, StoredDevice, StoredProject } from '../store/metadata/metadata-schema.ts';
import { comparedIn, type CorrectionVersion } from '../sync/correction-versions.ts';
import type { CarriedTable } from '../store/metadata/world-contents.ts';
import type { LookedDevice, LookedProject } from '#shared/operations/records/sync.ts';
import type { Fields } from './fields.ts';

/** Project of the local side with its devices, as a push takes them along. */
export interface OwnProject {
  readonly project: StoredProject;
  readonly devices: readonly StoredDevice[];
  /** All versions of the devices' corrections, by device. */
  readonly corrections: ReadonlyMap<string, readonly CorrectionVersion[]>;
}

/** Returns the fields that both sides are compared in, by the table of what is pushed. */
export const PUSHED_FIELDS: { readonly [Name in CarriedTable<'push'>]: (row: Row<Name>) => Fields } = {
  projects: ({ name, description, reason_required = false }) => ({ name, description, reason_required }),
  devices({ name, description, tags, brand, model, metadata, interval_s }) {
    return { name, description, tags, brand, model, metadata, interval_s };
  },
  corrections: comparedIn,
  correction_history: comparedIn,
};

/** Returns why the lab refuses a project or device; null where it takes it. */
export function refusalOf(what: 'project' | 'device', looked: LookedProject | LookedDevice): string | null {
  switch (looked.state) {
    case 'elsewhere':
      return `The lab has this ${what} where the API key may not touch it.`;
    case 'deleted':
      return `It was deleted in the lab on ${looked.deleted_at}. Undo that delete there, or discard it, to push it again.`;
    case 'there':
    case 'new':
      return null;
  }
}
