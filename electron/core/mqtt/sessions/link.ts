import type { Reason } from '../packets/reasons.ts';
import type { Subscription } from '../topics.ts';

/* What connections and the hub say to one another. */

/** Connection of a session, as senders of messages see it. */
export interface Link {
  /** There is something to be sent. */
  wake(): void;
  /** Ends it. */
  end(reason: Reason, message: string): void;
}

export interface ConnectRequest {
  readonly device: string;
  readonly clientId: string;
  /** Clean Start, or clean session. */
  readonly isClean: boolean;
  /** Seconds. */
  readonly expiry: number;
}

/** A subscription, and when the retained message comes with it (MQTT 5, 3.8.3.1). */
export interface Asked {
  readonly subscription: Subscription;
  readonly retainHandling: number;
}
