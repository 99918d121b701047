import { andThen, type Awaitable } from '../../base/awaitable.ts';
import type { StoredDevice } from './metadata-schema.ts';
import type { Tables } from './metadata.ts';

/** A device as far as storing asks for it, and whose it is. */
export interface Sender {
  readonly account_id: string;
  readonly device: Pick<StoredDevice, 'id' | 'project_id' | 'source'>;
}

/** Returns the sender of the token with this hash by two look-ups; null where there is no such device, or no project of it. */
export function findSender(
  tables: Pick<Tables, 'deviceByTokenHash' | 'get'>,
  hash: string,
): Awaitable<Sender | null> {
  return andThen(
    tables.deviceByTokenHash(hash),
    (device) =>
      device &&
      andThen(
        tables.get('projects', device.project_id),
        (project) => project && { account_id: project.account_id, device },
      ),
  );
}
