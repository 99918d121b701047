import type { Topic } from '../domain/events.ts';

/** Filter of a topic's events by project and device; an absent one takes all. */
export interface EventFilter {
  readonly project_id?: string | undefined;
  readonly device_id?: string | undefined;
}

/** Place of an event: project and device. */
interface Placed {
  readonly topic: Topic;
  readonly payload: { readonly project_id: string; readonly device_id?: string | null };
}

/** Subscribers by device; null: of any device. */
type ByDevice<Subscriber> = Map<string | null, Set<Subscriber>>;

/**
 * Subscriptions by topic and filter. An event finds its subscribers by look-ups alone: one without any costs next to
 * nothing, however many others there are.
 */
export class Subscriptions<Subscriber> {
  readonly #topics = new Map<Topic, Map<string | null, ByDevice<Subscriber>>>();

  /** Returns whether it is the first one to this topic with this filter. */
  add(topic: Topic, { project_id = null, device_id = null }: Nullable, subscriber: Subscriber): boolean {
    const projects = madeIn(this.#topics, topic, () => new Map<string | null, ByDevice<Subscriber>>());
    const devices = madeIn(projects, project_id, () => new Map<string | null, Set<Subscriber>>());
    const subscribers = madeIn(devices, device_id, () => new Set<Subscriber>());
    subscribers.add(subscriber);
    return subscribers.size === 1;
  }

  /** Returns whether it was the last one to this topic with this filter. */
  delete(topic: Topic, { project_id = null, device_id = null }: Nullable, subscriber: Subscriber): boolean {
    const projects = this.#topics.get(topic);
    const devices = projects?.get(project_id);
    const subscribers = devices?.get(device_id);
    if (!projects || !devices || !subscribers?.delete(subscriber) || subscribers.size > 0) return false;
    devices.delete(device_id);
    if (devices.size === 0) projects.delete(project_id);
    if (projects.size === 0) this.#topics.delete(topic);
    return true;
  }

  /** Whether anybody subscribed to this topic, with whatever filter. */
  has(topic: Topic): boolean {
    return this.#topics.has(topic);
  }

  /** Returns each subscriber of an event once, however many of its subscriptions match. */
  matching({ topic, payload: { project_id, device_id = null } }: Placed): ReadonlySet<Subscriber> {
    const found = new Set<Subscriber>();
    const projects = this.#topics.get(topic);
    if (!projects) return found;
    for (const devices of [projects.get(null), projects.get(project_id)]) {
      for (const subscriber of devices?.get(null) ?? []) found.add(subscriber);
      if (device_id === null) continue;
      for (const subscriber of devices?.get(device_id) ?? []) found.add(subscriber);
    }
    return found;
  }

  /** Every topic with every filter that somebody subscribed with. */
  *all(): Generator<[topic: Topic, filter: EventFilter]> {
    for (const [topic, projects] of this.#topics)
      for (const [project_id, devices] of projects)
        for (const device_id of devices.keys())
          yield [
            topic,
            { ...(project_id !== null && { project_id }), ...(device_id !== null && { device_id }) },
          ];
  }
}

type Nullable = { readonly [Name in keyof EventFilter]: EventFilter[Name] | null };

function madeIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
