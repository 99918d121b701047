import { REASON, type Reason } from './packets/reasons.ts';

/* Topic names and filters (4.7). A device has its topic, which is its id, and one on which it hears of its alarms. */

const SHARED = '$share/';

export type QoS = 0 | 1 | 2;

/** A subscription as it was asked for (3.8.3). */
export interface Subscription {
  readonly filter: string;
  readonly qos: QoS;
  readonly noLocal: boolean;
  readonly retainAsPublished: boolean;
  /** Its Subscription Identifier (MQTT 5, 3.8.2.1.2). */
  readonly id: number | null;
}

/** The topic of the alarms of a device: the service publishes to it, and nobody else. */
export const alarmTopic = (device: string): string => `devices/${device}/alarms`;

/** Returns the device of a topic; its id has no slash. */
export const deviceOfTopic = (topic: string): string =>
  /^devices\/([^/]+)\/alarms$/.exec(topic)?.[1] ?? topic;

/**
 * Returns the reason to refuse a subscription; null where it is allowed (3.8.4). A filter is granted that one of the device's topics
 * matches.
 */
export function subscriptionRefusal(filter: string, device: string): Reason | null {
  // Shared subscriptions (MQTT 5, 4.8.2) would let two readers miss what the other got.
  if (filter.startsWith(SHARED)) return REASON.sharedUnsupported;
  if (!isFilter(filter)) return REASON.filterInvalid;
  return [device, alarmTopic(device)].some((topic) => matches(filter, topic)) ? null : REASON.notAuthorized;
}

/** Whether a filter is one (4.7.1, 4.7.3): "#" ends it, and a wildcard has its level to itself. */
function isFilter(filter: string): boolean {
  if (filter === '' || filter.includes('\0')) return false;
  const levels = filter.split('/');
  return levels.every((level, i) => {
    if (level.includes('#')) return level === '#' && i === levels.length - 1;
    return !level.includes('+') || level === '+';
  });
}

/** Whether a name can be published to (4.7.1, 4.7.3). */
export function isTopicName(topic: string): boolean {
  return topic !== '' && !/[+#\0]/.test(topic);
}

/** Whether a filter matches a topic (4.7.1, 4.7.2). */
export function matches(filter: string, topic: string): boolean {
  if (topic.startsWith('$') && /^[+#]/.test(filter)) return false;
  const wanted = filter.split('/');
  const levels = topic.split('/');
  for (const [i, level] of wanted.entries()) {
    // "a/#" has "a", too.
    if (level === '#') return levels.length >= i;
    if (i >= levels.length || (level !== '+' && level !== levels[i])) return false;
  }
  return wanted.length === levels.length;
}
