import { z } from 'zod';
import { deviceOfTopic } from '../topics.ts';
import type { Message, MessageProperties } from './message.ts';

export const qosValue = z.union([z.literal(0), z.literal(1), z.literal(2)]);

/** A message, as a line of the journal has it (docs/storage-format.md, "MQTT sessions"). */
export const messageLine = z.object({
  /** Absent: the device's own. */
  topic: z.string().optional(),
  /** Base64. */
  payload: z.base64(),
  qos: qosValue,
  retain: z.boolean(),
  properties: z.object({
    payloadFormatIndicator: z.boolean().optional(),
    responseTopic: z.string().optional(),
    /** Base64. */
    correlationData: z.base64().optional(),
    userProperties: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
    contentType: z.string().optional(),
  }),
  expiresAt: z.number().nullable(),
  at: z.number().nullable().default(null),
  times: z.array(z.number()).nullable().default(null),
  from: z.string().nullable().default(null),
});

export function messageOut({
  topic,
  payload,
  qos,
  retain,
  properties,
  expiresAt,
  at,
  times,
  from,
}: Message): z.infer<typeof messageLine> {
  const { correlationData, userProperties, ...rest } = properties;
  return {
    ...(deviceOfTopic(topic) !== topic && { topic }),
    payload: payload.toString('base64'),
    qos,
    retain,
    properties: {
      ...rest,
      ...(userProperties !== undefined && { userProperties: { ...userProperties } }),
      ...(correlationData !== undefined && { correlationData: correlationData.toString('base64') }),
    },
    expiresAt,
    at,
    times: times && [...times],
    from,
  };
}

export function messageIn(
  device: string,
  {
    topic = device,
    payload,
    qos,
    retain,
    properties,
    expiresAt,
    at,
    times,
    from,
  }: z.infer<typeof messageLine>,
): Message {
  const { correlationData, ...rest } = properties;
  return {
    topic,
    payload: Buffer.from(payload, 'base64'),
    qos,
    retain,
    properties: {
      ...(rest as MessageProperties),
      ...(correlationData !== undefined && { correlationData: Buffer.from(correlationData, 'base64') }),
    },
    expiresAt,
    at,
    times,
    from,
  };
}
