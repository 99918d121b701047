import { z } from 'zod';
import { windowOperation } from '../../schema/operation.ts';
import { id, text } from '../../schema/schemas.ts';

/* Services elsewhere that the windows of this machine open: their profiles, and first looks at them. */

export const SERVICE_COLOURS = [
  'blue',
  'teal',
  'green',
  'yellow',
  'orange',
  'red',
  'pink',
  'violet',
] as const;
export type ServiceColour = (typeof SERVICE_COLOURS)[number];

/** A certificate that is trusted, or shown to be judged. */
const shownCertificate = z.object({
  subject: z.string(),
  issuer: z.string(),
  /** SHA-256, pairs of hex digits between colons. */
  fingerprint: z.string(),
  valid_until: z.string(),
  names: z.array(z.string()).readonly(),
  /** Whether it may sign others: then any certificate that it signed is trusted, as long as that names the host. */
  is_authority: z.boolean(),
  /** PEM. */
  certificate: z.string(),
});
export type ShownCertificate = z.infer<typeof shownCertificate>;

const otherService = z.object({
  id: z.string(),
  name: z.string(),
  /** As it is asked: with its scheme, without a slash at its end. */
  address: z.string(),
  colour: z.enum(SERVICE_COLOURS),
  read_only: z.boolean(),
  /** Whom it has to be; null: whom this machine trusts anyway, or plain HTTP on this machine. */
  trusted: shownCertificate.nullable(),
});
export type OtherService = z.infer<typeof otherService>;

/** Rights of an API key there. */
const keyRights = z.object({
  /** `document`: a service that answers /v2 alone. */
  kind: z.enum(['fieldbench', 'document']),
  permissions: z.array(z.string()).readonly().nullable(),
  project_ids: z.array(z.string()).readonly().nullable(),
});
export type KeyRights = z.infer<typeof keyRights>;

const colourRule = `must be one of ${SERVICE_COLOURS.map((name) => `"${name}"`).join(', ')}`;
const keyRule = 'must be an API key without blanks';
const fields = {
  name: text(1, 100),
  address: text(1, 500),
  /** PEM of whom to trust; null: whom this machine trusts anyway. */
  certificate: z.string('must be a certificate as PEM, or null').nullable(),
  api_key: z.string(keyRule).regex(/^[\x21-\x7e]{1,4096}$/, keyRule),
  colour: z.enum(SERVICE_COLOURS, colourRule),
  read_only: z.boolean('must be true or false'),
};
const path = 'other-services';
const access = { permissions: ['admin'], reach: 'installation' } as const;

export const otherServiceOperations = {
  'other-services.list': windowOperation({
    ...access,
    method: 'GET',
    path,
    action: 'get other services',
    message: 'Services retrieved successfully.',
    description: 'The services elsewhere that windows of this machine open, without their API keys.',
    input: z.object({}),
    output: z.array(otherService),
  }),
  'other-services.look': windowOperation({
    ...access,
    method: 'POST',
    path: 'other-services/look',
    action: 'look at service',
    message: 'Service found.',
    description: 'Looks who answers at an address, before anything secret is sent there.',
    input: z.object({ address: fields.address }),
    output: z.object({
      address: z.string(),
      /** Whether the connection is plain HTTP, which stays on this machine. */
      is_plain: z.boolean(),
      /** Whether this machine trusts it anyway. */
      trusted: z.boolean(),
      /** The server's own first. */
      chain: z.array(shownCertificate),
    }),
  }),
  'other-services.read-certificate': windowOperation({
    ...access,
    method: 'POST',
    path: 'other-services/certificate',
    action: 'read certificate',
    message: 'Certificate read successfully.',
    description: 'Tells what a certificate in a file says.',
    input: z.object({ certificate: z.string('must be a certificate as PEM') }),
    output: shownCertificate,
  }),
  'other-services.create': windowOperation({
    ...access,
    method: 'POST',
    path,
    action: 'add service',
    message: 'Service added successfully.',
    description: 'Signs in at a service with an API key and, where that works, keeps both.',
    status: 201,
    input: z.object(fields),
    output: z.object({ service: otherService, rights: keyRights }),
  }),
  'other-services.update': windowOperation({
    ...access,
    method: 'PATCH',
    path,
    action: 'update service',
    message: 'Service updated successfully.',
    description:
      'Changes what is given. With another address, certificate or key it is signed in anew first.',
    input: z.object({
      service_id: id,
      name: fields.name.optional(),
      address: fields.address.optional(),
      certificate: fields.certificate.optional(),
      api_key: fields.api_key.optional(),
      colour: fields.colour.optional(),
      read_only: fields.read_only.optional(),
    }),
    output: otherService,
  }),
  'other-services.remove': windowOperation({
    ...access,
    method: 'DELETE',
    path,
    action: 'remove service',
    message: 'Service removed successfully.',
    description: 'Forgets a service and its API key. Nothing changes there.',
    input: z.object({ service_id: id }),
    output: z.object({ id: z.string() }),
  }),
} as const;
