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

export interface EventSubscriptionsOptions {
  readonly events: EventBus;
  /** Throws, or rejects with, a 401 Refusal once the window's rights have ended. */
  readonly authenticate: () => Awaitable<Principal>;
  readonly post: (message: ServerMessage) => void;
  readonly log: Logger;
}

/** Event subscriptions of one window: posts the events that it subscribed to and may see, in the order of publishing. */
export function createEventSubscriptions({
  events,
  authenticate,
  post,
  log,
}: EventSubscriptionsOptions): Omit<Subscriber, 'wants'> {
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

  /** Events were lost: the window reads again what it shows. */
  function missed(): void {
    if (subscribed.size > 0) post({ type: 'resync' });
  }

  /** Posts the waiting events, after one check of the window's rights for all of them. */
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
