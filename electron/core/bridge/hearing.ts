import type { AnyEvent, Topic } from '#shared/domain/events.ts';
import type { EventFilter } from '#shared/bridge/subscriptions.ts';
import type { ServerMessage } from '#shared/bridge/wire.ts';
import type { Principal } from '../api/call.ts';
import { maySee } from '../api/may-see.ts';
import type { Awaitable } from '../base/awaitable.ts';
import { Refusal } from '../base/errors.ts';
import type { EventBus, Subscriber } from '../base/event-bus.ts';
import type { Logger } from '../base/logger.ts';

/** Subscriptions of one window: a thousand screens' worth. */
export const MOST_SUBSCRIPTIONS = 4096;

/** The events of one window. */
export interface HearingOptions {
  readonly events: EventBus;
  /** Throws, or rejects with, a 401 Refusal once the window's rights have ended. */
  readonly authenticate: () => Awaitable<Principal>;
  readonly post: (message: ServerMessage) => void;
  readonly log: Logger;
}

/** Posts each event that the window subscribed to and may see, in the order in which they were published. */
export function createHearing({
  events,
  authenticate,
  post,
  log,
}: HearingOptions): Omit<Subscriber, 'wants'> {
  let waiting: AnyEvent[] = [];
  let delivering = false;
  const subscribed = new Set<string>();

  const subscriber = events.subscriber((event) => {
    waiting.push(event);
    if (delivering) return;
    delivering = true;
    // What is published in one go is delivered in one go.
    queueMicrotask(() => void deliver());
  }, missed);

  /** What it shows may be out of date: it reads that anew. */
  function missed(): void {
    if (subscribed.size > 0) post({ type: 'resync' });
  }

  /** Asks once for whatever came meanwhile who the window is now. */
  async function deliver(): Promise<void> {
    while (waiting.length > 0) {
      try {
        const principal = await authenticate();
        const heard = waiting;
        waiting = [];
        for (const event of heard)
          if (maySee(principal, event) && subscriber.wants(event)) post({ type: 'event', ...event });
      } catch (error) {
        waiting = [];
        // Its rights do not come back: it is not asked again who it is.
        if (error instanceof Refusal) subscriber.close();
        else {
          log.error('A window could not be told what happened', error);
          post({ type: 'resync' });
        }
      }
    }
    delivering = false;
  }

  return {
    subscribe(topic, filter) {
      const name = nameOf(topic, filter);
      if (subscribed.size >= MOST_SUBSCRIPTIONS && !subscribed.has(name))
        return log.warn(`A window has ${MOST_SUBSCRIPTIONS} subscriptions; one more to ${topic} is ignored.`);
      subscribed.add(name);
      subscriber.subscribe(topic, filter);
    },
    unsubscribe(topic, filter) {
      subscribed.delete(nameOf(topic, filter));
      subscriber.unsubscribe(topic, filter);
    },
    close: () => subscriber.close(),
  };
}

const nameOf = (topic: Topic, filter: EventFilter = {}) =>
  JSON.stringify([topic, filter.project_id, filter.device_id]);
