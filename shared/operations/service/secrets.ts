import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { count } from '../../schema/schemas.ts';
import { VAULT_KINDS } from './service.ts';

/* docs/running.md, "Where secrets are kept": the vault while the service runs. */

const secretsNow = z
  .object({
    kind: z.enum(VAULT_KINDS),
    /** Why it is this one: a clause without a full stop. */
    reason: z.string(),
    /** Other readers of the secrets, or what ends them, for people to read; null for none. */
    warning: z.string().nullable(),
    /** Opener of the file; null for another vault. */
    opened_by: z.enum(['passphrase', 'key-file']).nullable(),
    /** Whether the service was given a passphrase for it. */
    passphrase: z.boolean(),
    /** Why they cannot be moved; null where they can. */
    fixed: z.string().nullable(),
  })
  .meta({ id: 'Secrets' });
export type SecretsNow = Readonly<z.output<typeof secretsNow>>;

const selfTest = z
  .object({
    is_well: z.boolean(),
    /** Steps tried, in order; those after a failure may be missing. */
    steps: z.array(
      z.object({
        step: z.enum(['write', 'read', 'delete', 'gone']),
        /** Failure and remedy; null for success. */
        problem: z.string().nullable(),
        took_ms: count,
      }),
    ),
  })
  .meta({ id: 'SelfTest' });
export type SelfTest = z.output<typeof selfTest>;

const path = '/_local/v1/secrets';

export const secretsOperations = {
  'secrets.get': operation({
    method: 'GET',
    path,
    permissions: ['admin'],
    reach: 'installation',
    action: 'get secrets',
    message: 'Vault retrieved successfully.',
    description: 'Where API keys, device tokens and private keys are kept, and why. No secret is in it.',
    input: z.object({}),
    output: secretsNow,
  }),
  'secrets.test': operation({
    method: 'POST',
    path: `${path}/test`,
    permissions: ['admin'],
    reach: 'installation',
    action: 'test secrets',
    message: 'Vault tested.',
    description: 'Keeps something in the vault for a moment, reads it from where it is kept, and deletes it.',
    input: z.object({}),
    output: selfTest,
  }),
  'secrets.move': operation({
    method: 'POST',
    path: `${path}/move`,
    permissions: ['admin'],
    reach: 'installation',
    action: 'move secrets',
    message: 'Secrets moved successfully.',
    description:
      'Moves every secret to another vault, reads all of them back there, and removes them from where they were.',
    input: z.object({ to: z.enum(['keychain', 'file'], 'must be "keychain" or "file"') }),
    output: z.object({
      moved: count,
      /** Why copies are left where they were, which the next start removes; null where none are. */
      left: z.string().nullable(),
    }),
  }),
  'secrets.rotate': operation({
    method: 'POST',
    path: `${path}/rotate`,
    permissions: ['admin'],
    reach: 'installation',
    action: 'rotate secrets',
    message: 'Keys rotated successfully.',
    description:
      'Takes new keys for the file vault, and seals every secret anew with them. Keys and tokens stay what they are.',
    input: z.object({}),
    output: z.object({ rotated: z.literal(true) }),
  }),
} as const;
