import type { MonotonicMs } from '../../base/machine-clock.ts';
import type { IPublishPacket } from 'mqtt-packet';
import type { Act } from '../../faults/act.ts';
import type { Refused, Stored } from './storing.ts';

/** What a rule does to a message. */
export interface PublishAct {
  readonly act: Act;
  /** `refuse`: the connection ends without a word, `disconnect`: with one, and the message is not stored. */
  readonly end: 'refuse' | 'disconnect' | null;
  /** Why it is not stored; null where it is. */
  readonly refused: Refused | null;
  /** Whether it is not acknowledged. */
  readonly isUnanswered: boolean;
  readonly isTwice: boolean;
}

/** A message under way. */
export interface Entry {
  readonly packet: IPublishPacket;
  readonly bytes: number;
  /** Why it is not even to be read; null where it is. */
  readonly unread: Refused | null;
  /** What a rule does to it; null for nothing. */
  readonly fault: PublishAct | null;
  /** When it came. */
  readonly beganMs: MonotonicMs;
  /** Outcome; null while unknown. */
  stored: Stored | null;
  /** Removals of the device that were heard when it was looked at last (removals.ts): later ones may have taken its records. */
  heard: number;
  /** Whether its records went before it was handed on. */
  isGone: boolean;
  /** Why it is not retained, though it was to be. */
  unkept: string | null;
  /** Whether it may be acknowledged as soon as all before are. */
  isDone: boolean;
}
