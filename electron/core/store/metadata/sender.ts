import type { StoredDevice } from './metadata-schema.ts';

/** A device as far as storing asks for it, and whose it is. */
export interface Sender {
  readonly account_id: string;
  readonly device: Pick<StoredDevice, 'id' | 'project_id' | 'source' | 'decodes'>;
}
