type Event = 'records.removed' | 'corrections.changed';

const listeners = new Map<Event, Set<() => void>>();

/** Events of the one device that these tests have, as the bridge brings them. */
export function subscribe(event: Event, heard: () => void): () => void {
  const all = listeners.get(event) ?? new Set();
  listeners.set(event, all.add(heard));
  return () => void all.delete(heard);
}

/** The service tells that something has happened. */
export function tell(event: Event): void {
  for (const heard of listeners.get(event) ?? []) heard();
}
