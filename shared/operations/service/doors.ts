import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { wholeNumberInBody } from '../../schema/schemas.ts';

/** Settings of the doors. */
export const DOOR_NAMES = ['network', 'https_port', 'http_port', 'mqtt_port', 'mqtts_port'] as const;
export type DoorName = (typeof DOOR_NAMES)[number];

const port = z.int().nullable();
const doors = z.object({
  /** Why none of it can be changed while the service runs; null where it can. */
  fixed: z.string().nullable(),
  /** Doors set by a flag of the start, which cannot be changed here. */
  flags: z.array(z.enum(DOOR_NAMES)),
  /** Whether the doors over TLS are open to the network, or to this machine alone. */
  network: z.boolean(),
  /** How other machines reach the doors over TLS while they are open to the network, or would once they were. */
  hosts: z.array(z.string()),
  /** Port of each listener; null while it is shut. */
  https_port: port,
  http_port: port,
  mqtt_port: port,
  mqtts_port: port,
});
doors.register(z.globalRegistry, { id: 'Doors' });
export type DoorsNow = z.infer<typeof doors>;

const PORT_RULE = 'must be a port from 1 to 65535, or null for none';
const given = z.union([wholeNumberInBody(1, 65_535), z.null()], PORT_RULE).optional();

export const doorOperations = {
  'doors.get': operation({
    method: 'GET',
    path: '/_local/v1/doors',
    permissions: ['admin'],
    reach: 'installation',
    action: 'get doors',
    message: 'Doors retrieved successfully.',
    description: 'Where the service listens, and what of it can be changed while it runs.',
    input: z.object({}),
    output: doors,
  }),
  'doors.update': operation({
    method: 'PATCH',
    path: '/_local/v1/doors',
    permissions: ['admin'],
    reach: 'installation',
    action: 'update doors',
    message: 'Doors updated successfully.',
    description:
      'Opens, moves and shuts doors at once, and keeps that for the next starts. All of it, or none: where a port is in use, everything stays as it was.',
    input: z.object({
      network: z.boolean('must be true or false').optional(),
      https_port: wholeNumberInBody(1, 65_535).optional(),
      http_port: given,
      mqtt_port: given,
      mqtts_port: given,
    }),
    output: doors,
  }),
} as const;
