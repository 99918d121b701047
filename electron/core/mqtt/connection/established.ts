import type { Session } from '../sessions/session.ts';
import type { Accepted } from './connect.ts';
import type { Inbox } from './inbox.ts';
import type { Outbox } from './outbox.ts';
import type { PublishMemory } from './publish-memory.ts';
import type { Subscriber } from './subscribing.ts';
import type { Held } from './wills.ts';

/** State of a connection once its CONNECT was accepted. */
export interface Established {
  readonly accepted: Accepted;
  readonly session: Session;
  readonly inbox: Inbox;
  readonly memory: PublishMemory;
  readonly outbox: Outbox;
  readonly subscriber: Subscriber;
  readonly will: Held | null;
}
