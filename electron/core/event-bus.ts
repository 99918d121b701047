import type { Events, Topic } from '#shared/events.ts';

type Listener<T extends Topic> = (payload: Events[T]) => void;

/** Carries what happens in the service to whoever shows it. */
export interface EventBus {
  publish<T extends Topic>(topic: T, payload: Events[T]): void;
  /** Returns what stops it. */
  subscribe<T extends Topic>(topic: T, listener: Listener<T>): () => void;
}

export function createEventBus(): EventBus {
  const listeners = new Map<Topic, Set<Listener<never>>>();
  return {
    publish(topic, payload) {
      for (const listener of listeners.get(topic) ?? []) listener(payload as never);
    },
    subscribe(topic, listener) {
      const ofTopic = listeners.get(topic) ?? new Set();
      listeners.set(topic, ofTopic.add(listener));
      return () => void ofTopic.delete(listener);
    },
  };
}
