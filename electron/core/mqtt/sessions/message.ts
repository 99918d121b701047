import type { IPublishPacket } from 'mqtt-packet';
import type { Micros } from '#shared/values/time.ts';
import type { Payload } from '../../ingest/upload.ts';
import { alarmTopic, type QoS, type Subscription } from '../topics.ts';

/**
 * Properties that travel with a message unaltered (MQTT 5, 3.3.2.3): not the topic alias, nor whose subscription it came by.
 */
export type MessageProperties = Pick<
  NonNullable<IPublishPacket['properties']>,
  'payloadFormatIndicator' | 'responseTopic' | 'correlationData' | 'userProperties' | 'contentType'
>;

/** A PUBLISH, or what is to be one, whose payload are bytes. */
export type MessagePacket = IPublishPacket & { readonly payload: Buffer };

/** One message of a topic of a device. */
export interface Message {
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: QoS;
  /** Whether it was published to be retained (3.3.1.3). */
  readonly retain: boolean;
  readonly properties: MessageProperties;
  /** When it has become of no use, in ms since 1970 (MQTT 5, 3.3.2.3.3); null: never. */
  readonly expiresAt: number | null;
  /** Time of arrival, in ms since 1970; null where unknown. */
  readonly at: number | null;
  /** The times of its records, in µs; null where they are many, or unknown. */
  readonly times: readonly Micros[] | null;
  /** The client id of its publisher; null of a will, or where unknown. */
  readonly from: string | null;
}

/** Of so many records a message notes the times. */
const MOST_TIMES = 32;

/** Message of the service about an alarm (docs/functions.md, "Acts"). */
export const alarmMessage = (device: string, payload: string, nowMs: number): Message => ({
  topic: alarmTopic(device),
  payload: Buffer.from(payload),
  qos: 1,
  retain: false,
  properties: { payloadFormatIndicator: true, contentType: 'application/json' },
  expiresAt: null,
  at: nowMs,
  times: [],
  from: null,
});

/** Returns the times of the records that a message was stored as. */
export function timesOf(records: Payload | null): readonly Micros[] | null {
  if (records === null) return [];
  const areNoted = 'records' in records && records.count <= MOST_TIMES;
  return areNoted ? records.records.map(({ timestamp }) => timestamp) : null;
}

/** A message on its way to one session. */
export interface Delivery {
  readonly message: Message;
  readonly qos: QoS;
  /** As the receiver gets it (3.3.1.3; MQTT 5, 3.8.3.1). */
  readonly retain: boolean;
  readonly subscriptionIds: readonly number[];
}

/** The message of a PUBLISH whose topic is known. */
export function messageOf(
  { topic, payload, qos, retain, properties = {} }: IPublishPacket,
  nowMs: number,
  times: Message['times'],
): Message {
  const {
    messageExpiryInterval,
    payloadFormatIndicator,
    responseTopic,
    correlationData,
    userProperties,
    contentType,
  } = properties;
  return {
    topic,
    payload: payload as Buffer,
    qos,
    retain,
    properties: {
      ...(payloadFormatIndicator !== undefined && { payloadFormatIndicator }),
      ...(responseTopic !== undefined && { responseTopic }),
      ...(correlationData !== undefined && { correlationData }),
      ...(userProperties !== undefined && { userProperties }),
      ...(contentType !== undefined && { contentType }),
    },
    expiresAt: messageExpiryInterval === undefined ? null : nowMs + messageExpiryInterval * 1000,
    at: nowMs,
    times,
    from: null,
  };
}

const weights = new WeakMap<Message, number>();

/** Bytes that a message is counted with where it waits: its own, and what each takes beside. */
export function weightOf(message: Message): number {
  const known = weights.get(message);
  if (known !== undefined) return known;
  const { payload, properties } = message;
  const hasProperties = Object.keys(properties).length > 0;
  const weight = payload.length + 512 + (hasProperties ? JSON.stringify(properties).length : 0);
  weights.set(message, weight);
  return weight;
}

/** Returns the delivery of a message to a session by its matching subscriptions (3.3.4): once, by the highest QoS of them. */
export function deliveryOf(
  message: Message,
  subscriptions: readonly Subscription[],
  isRetained: boolean,
): Delivery | null {
  if (subscriptions.length === 0) return null;
  const highest = Math.max(...subscriptions.map(({ qos }) => qos));
  return {
    message,
    qos: Math.min(message.qos, highest) as QoS,
    retain:
      isRetained || (message.retain && subscriptions.some(({ retainAsPublished }) => retainAsPublished)),
    subscriptionIds: subscriptions.flatMap(({ id }) => (id === null ? [] : [id])),
  };
}

/** The packet; null where the message has expired. The interval that is left goes with it (MQTT 5, 3.3.2.3.3). */
export function publishPacket(
  { message, qos, retain, subscriptionIds }: Delivery,
  {
    messageId,
    dup,
    nowMs,
  }: { readonly messageId: number | null; readonly dup: boolean; readonly nowMs: number },
): IPublishPacket | null {
  const { expiresAt, properties, topic, payload } = message;
  if (expiresAt !== null && expiresAt <= nowMs) return null;
  return {
    cmd: 'publish',
    topic,
    payload,
    qos,
    retain,
    dup,
    ...(messageId !== null && { messageId }),
    properties: {
      ...properties,
      ...(expiresAt !== null && {
        messageExpiryInterval: Math.max(1, Math.ceil((expiresAt - nowMs) / 1000)),
      }),
      ...(subscriptionIds.length > 0 && { subscriptionIdentifier: [...subscriptionIds] }),
    },
  };
}
