import type { Clock } from '../base/clock.ts';
import type { EventBus } from '../base/event-bus.ts';
import type { Logger } from '../base/logger.ts';
import { followDevices } from '../requests/follow.ts';
import { RequestsSeen } from '../requests/requests-seen.ts';
import type { Metadata } from '../store/metadata/metadata.ts';

/** The last requests, which follow their devices: what is deleted, or moved, is so there, too. */
export function openRequests(parts: {
  readonly clock: Clock;
  readonly events: EventBus;
  readonly metadata: Metadata;
  readonly default_account_id: string;
  readonly log: Logger;
}): RequestsSeen {
  const { log } = parts;
  const requests = new RequestsSeen(parts);
  followDevices(requests, {
    ...parts,
    failed: (error) => log.error('A device could not be looked up', error),
  });
  return requests;
}
