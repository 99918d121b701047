import type { InputOf } from '#shared/operations/index.ts';

/** How a file is read and what of it is imported. */
export type ImportChoices = Omit<InputOf<'records.import'>, 'project_id' | 'device_id'>;

/** No column is to be imported; the service takes no such list. */
export const NO_COLUMNS = '';
