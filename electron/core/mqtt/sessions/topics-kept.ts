import { MOST_RETAINED } from '../limits.ts';
import { InTurn } from './in-turn.ts';
import { weightOf, type Message } from './message.ts';
import type { Room } from './room.ts';
import type { Session } from './session.ts';

/** Topic of one device. */
export interface Topic {
  /** By the ids of their clients. */
  readonly sessions: Map<string, Session>;
  /** Queue of its messages to receivers. */
  readonly inTurn: InTurn;
  retained: Message | null;
}

/** The topics of the devices that anything is kept for. */
export class Topics {
  readonly #byDevice = new Map<string, Topic>();
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  devices(): IterableIterator<string> {
    return this.#byDevice.keys();
  }

  all(): IterableIterator<[string, Topic]> {
    return this.#byDevice.entries();
  }

  has(device: string): boolean {
    return this.#byDevice.has(device);
  }

  get(device: string): Topic | undefined {
    return this.#byDevice.get(device);
  }

  /** A device's topic, made where there is none. */
  of(device: string): Topic {
    let topic = this.#byDevice.get(device);
    if (topic === undefined)
      this.#byDevice.set(device, (topic = { sessions: new Map(), inTurn: new InTurn(), retained: null }));
    return topic;
  }

  /** The messages of a device that are retained, or wait for somebody, when all have what came so far. */
  async messagesOf(device: string): Promise<ReadonlySet<Message>> {
    await this.get(device)?.inTurn.idle();
    const { retained = null, sessions } = this.get(device) ?? {};
    const found = new Set(retained === null ? [] : [retained]);
    for (const session of sessions?.values() ?? [])
      for (const message of session.messages()) found.add(message);
    return found;
  }

  delete(device: string): void {
    this.#byDevice.delete(device);
  }

  /** Removes an empty topic. */
  deleteEmpty(device: string): void {
    const topic = this.#byDevice.get(device);
    if (topic?.sessions.size === 0 && topic.retained === null) this.#byDevice.delete(device);
  }

  /**
   * Puts a message in the place of the one that is retained, which goes in any case: what it said is not so any more. Returns
   * whether another one is retained now, or none; and why this one is not, where it was to be.
   */
  retain(message: Message): { readonly isOther: boolean; readonly unkept: string | null } {
    const topic = this.of(message.topic);
    const { length } = message.payload;
    const had = this.dropRetained(topic);
    // An empty one takes away what was retained, and is not retained itself (3.3.1.3).
    if (length === 0) return { isOther: had, unkept: null };
    if (length > MOST_RETAINED)
      return {
        isOther: had,
        unkept: `It is not retained, and nothing else is now: it has ${length} bytes, and ${MOST_RETAINED} are the most.`,
      };
    if (!this.#room.take(message.topic, weightOf(message)))
      return {
        isOther: had,
        unkept: 'It is not retained, and nothing else is now: too much is kept already.',
      };
    topic.retained = message;
    return { isOther: true, unkept: null };
  }

  /** Whether there was one. */
  dropRetained(topic: Topic): boolean {
    if (topic.retained === null) return false;
    this.#room.give(topic.retained.topic, weightOf(topic.retained));
    topic.retained = null;
    return true;
  }
}
