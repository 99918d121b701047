import type { Row, StoredDevice, StoredProject } from '../store/metadata/metadata-schema.ts';
import { comparedIn, type CorrectionVersion } from '../sync/correction-versions.ts';
import { saysOf } from '../sync/row-says.ts';
import type { CarriedTable } from '../store/metadata/world-contents.ts';
import type { RowKind } from '#shared/operations/records/sync-rows.ts';
import type { LookedDevice, LookedProject } from '#shared/operations/records/sync.ts';
import type { Fields } from './fields.ts';

/** Project of the local side with its devices, as a push takes them along. */
export interface OwnProject {
  readonly project: StoredProject;
  readonly devices: readonly StoredDevice[];
  /** All versions of the devices' corrections, by device. */
  readonly corrections: ReadonlyMap<string, readonly CorrectionVersion[]>;
  /** Rows of the project and of its devices. */
  readonly rows: { readonly [Kind in RowKind]: readonly Row<Kind>[] };
}

/** Returns the fields that both sides are compared in, by the table of what is pushed. */
export const PUSHED_FIELDS: { readonly [Name in CarriedTable<'push'>]: (row: Row<Name>) => Fields } = {
  projects: ({ name, description, reason_required = false }) => ({ name, description, reason_required }),
  devices({ name, description, tags, brand, model, metadata, interval_s }) {
    return { name, description, tags, brand, model, metadata, interval_s };
  },
  functions: (row) => saysOf('functions', row).compared,
  widgets: (row) => saysOf('widgets', row).compared,
  key_settings: (row) => saysOf('key_settings', row).compared,
  notes: (row) => saysOf('notes', row).compared,
  alarms: (row) => saysOf('alarms', row).compared,
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
