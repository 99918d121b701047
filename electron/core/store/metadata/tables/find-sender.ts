import { andThen, type Awaitable } from '../../../base/awaitable.ts';
import type { Tables } from '../metadata.ts';
import type { Sender } from '../sender.ts';

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
