import { z } from 'zod';
import { REQUEST_DOORS } from '../../domain/sources.ts';
import { operation } from '../../schema/operation.ts';
import { oneDevice } from '../../schema/paths.ts';
import { count, id, instant, oneOf, timestamp, wholeNumber } from '../../schema/schemas.ts';

/** `limit` of the requests seen. */
export const MAX_REQUESTS = 1000;

const STATUS_RULE = 'must be "accepted", "refused", or a status or reason code from 0 to 599';

const seenRequest = z.object({
  /** Counted up from the start of the service. */
  id: count,
  time: timestamp,
  door: z.enum(REQUEST_DOORS),
  /** The method of HTTP, or the packet of MQTT. */
  method: z.string(),
  /** The path with its query, or the topic; empty for packets that name none. */
  path: z.string(),
  /** Of HTTP; of MQTT a reason code of version 5, 0 for success. */
  status: count,
  refused: z.boolean(),
  /** The device that sent it; over MQTT also the one that a refused client claimed to be. */
  device_id: z.string().nullable(),
  project_id: z.string().nullable(),
  /** The API key that asked. */
  key: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Beginning of an unknown token or key: four characters at most. */
  token: z.string().nullable(),
  /** Records that it stored. */
  stored: count,
  /** Further ones like it within the same second, which are counted and not kept. */
  more: count,
  /** Why it was refused; null where it was not. */
  message: z.string().nullable(),
  /** The beginning of its body; tokens and keys in it are hidden. */
  body: z.string().nullable(),
  /** The address that it came from. */
  from: z.string(),
  /** µs from its arrival to its answer. */
  duration_us: count,
});
seenRequest.register(z.globalRegistry, { id: 'SeenRequest' });
export type SeenRequest = z.infer<typeof seenRequest>;

export const requestOperations = {
  'requests.list': operation({
    method: 'GET',
    path: '/_local/v1/requests',
    permissions: ['admin'],
    action: 'get requests',
    message: 'Requests retrieved successfully.',
    description:
      'The last requests of devices and programs, newest first, with the reason of each refusal. They are kept in memory, and never with a token or key. A key sees those of its own account and projects; those of nobody are for administrators.',
    input: z.object({
      door: oneOf(REQUEST_DOORS).optional(),
      status: z.union([oneOf(['accepted', 'refused']), wholeNumber(0, 599)], STATUS_RULE).optional(),
      device_id: id.optional(),
      since: instant.optional(),
      limit: wholeNumber(1, MAX_REQUESTS).default(100),
    }),
    output: z.array(seenRequest),
  }),
  'requests.send-test': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/test-reading',
    permissions: ['admin'],
    action: 'send test reading',
    message: 'Test reading sent.',
    description:
      'Sends {"temperature": 21.5} as the device would: to the door of its source, with its token. Where it is accepted, it is a record as any other.',
    input: oneDevice,
    output: z.object({ accepted: z.boolean(), message: z.string() }).meta({ id: 'TestAnswer' }),
  }),
} as const;
