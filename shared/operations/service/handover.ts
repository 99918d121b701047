import { z } from 'zod';
import { operation, postedDownloadOperation } from '../../schema/operation.ts';
import { checkOrder, count, id, oneOf, optionalRange } from '../../schema/schemas.ts';

/* docs/hand-over.md: devices as a package that its reader can check. */

/** Media type of a package. */
export const HANDOVER_TYPE = 'application/zip';

/** Formats of the records in a package. */
export const HANDOVER_FORMATS = ['csv', 'ndjson', 'parquet'] as const;
export type HandoverFormat = (typeof HANDOVER_FORMATS)[number];

/** Devices of one package. */
export const MOST_HANDED_OVER = 100;

/** SHA-256 of the public key as DER, in hex. */
const fingerprint = z.string();

const devicesRule = `must be a list of 1 to ${MOST_HANDED_OVER} ids of devices, each once`;
const devices = z
  .array(id, devicesRule)
  .min(1, devicesRule)
  .max(MOST_HANDED_OVER, devicesRule)
  .refine((ids) => new Set(ids).size === ids.length, devicesRule);

const signingKey = z
  .object({
    fingerprint,
    /** SubjectPublicKeyInfo in PEM. */
    public_key: z.string(),
  })
  .meta({ id: 'SigningKey' });
export type ShownSigningKey = Readonly<z.output<typeof signingKey>>;

const rights = { permissions: ['admin'], reach: 'installation' } as const;

export const handoverOperations = {
  'handover.get': postedDownloadOperation({
    ...rights,
    method: 'POST',
    path: '/_local/v1/handover',
    media: HANDOVER_TYPE,
    action: 'hand over',
    message: 'Handed over.',
    description:
      'Devices as a zip that its reader can check: records as they were stored and as corrected, corrections with their history, notes, facts, their part of the audit trail, hashes of all of it, and a signature. The same data are the same bytes.',
    input: z
      .object({ devices, format: oneOf(HANDOVER_FORMATS).default('csv'), ...optionalRange })
      .superRefine(checkOrder),
    output: z.object({
      devices: count,
      /** As they were stored. */
      records: count,
      fingerprint,
    }),
  }),
  'handover.key': operation({
    ...rights,
    method: 'GET',
    path: '/_local/v1/handover/key',
    action: 'get signing key',
    message: 'Signing key retrieved successfully.',
    description:
      'The public half of the key by which this installation signs what it hands over, and its fingerprint, to be told the reader by another way. It is made when it is asked for first.',
    input: z.object({}),
    output: signingKey,
  }),
} as const;
