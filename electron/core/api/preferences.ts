import type { Row } from '../store/metadata/metadata-schema.ts';
import type { Tables } from '../store/metadata/metadata.ts';

/** Settings of the installation. */
export type Preferences = Omit<Row<'preferences'>, 'id' | 'sequence'>;

const FIRST: Preferences = { keep_days: 30, keep_v2_deletes: false };

export const PREFERENCES = 'installation';

export async function preferencesOf(tables: Tables): Promise<Preferences> {
  const row = await tables.get('preferences', PREFERENCES);
  if (!row) return FIRST;
  const { keep_days, keep_v2_deletes } = row;
  return { keep_days, keep_v2_deletes };
}
