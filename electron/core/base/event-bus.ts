import type { AnyEvent, Events, Topic } from '#shared/domain/events.ts';
import { Subscriptions, type EventFilter } from '#shared/bridge/subscriptions.ts';

/** Event bus: publishes the service's events to its listeners. */
export interface EventBus {
  publish<T extends Topic>(topic: T, payload: Events[T]): void;
  /** Publishes to the listeners of this service alone: what each service finds out by itself. */
  publishHere<T extends Topic>(topic: T, payload: Events[T]): void;
  /**
   * Returns a subscriber: `listener` gets each event that one of its subscriptions matches once; none at first. `missed` is
   * called where events may have been lost on their way from another service: what was read before may be out of date.
   */
  subscriber(listener: (event: AnyEvent) => void, missed?: () => void): Subscriber;
  /** Calls `missed` of every subscriber, or of those to one of these topics: events may have been lost. */
  missed(topics?: readonly Topic[]): void;
}

export interface Subscriber {
  /** From now on; twice is once. */
  subscribe(topic: Topic, filter?: EventFilter): void;
  unsubscribe(topic: Topic, filter?: EventFilter): void;
  /** Whether one of its subscriptions matches the event. */
  wants(event: AnyEvent): boolean;
  /** Ends all its subscriptions. */
  close(): void;
}

type Listener = (event: AnyEvent) => void;

export function createEventBus(): EventBus {
  const subscriptions = new Subscriptions<Listener>();
  const losers = new Set<(topics: readonly Topic[] | undefined) => void>();
  const publish: EventBus['publish'] = (topic, payload) => {
    const event = { topic, payload } as AnyEvent;
    for (const listener of subscriptions.matching(event)) listener(event);
  };
  return {
    publish,
    publishHere: publish,

    missed(topics) {
      for (const lose of losers) lose(topics);
    },

    subscriber(listener, missed) {
      const own = new Subscriptions<Listener>();
      // The same function may be two subscribers.
      const self: Listener = (event) => listener(event);
      const lose = (topics: readonly Topic[] | undefined) => {
        if (topics === undefined || topics.some((topic) => own.has(topic))) missed?.();
      };
      losers.add(lose);
      const unsubscribe: Subscriber['unsubscribe'] = (topic, filter = {}) => {
        own.delete(topic, filter, self);
        subscriptions.delete(topic, filter, self);
      };
      return {
        subscribe(topic, filter = {}) {
          own.add(topic, filter, self);
          subscriptions.add(topic, filter, self);
        },
        unsubscribe,
        wants: (event) => own.matching(event).size > 0,
        close() {
          losers.delete(lose);
          for (const [topic, filter] of own.all()) unsubscribe(topic, filter);
        },
      };
    },
  };
}
