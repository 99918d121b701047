import { z } from 'zod';
import { ACTORS, HARMS, OUTCOMES } from '../../domain/audit.ts';
import { downloadOperation, operation } from '../../schema/operation.ts';
import { checkOrder, count, id, optionalRange, text, timestamp, wholeNumber } from '../../schema/schemas.ts';

/* docs/local-api.md, "Audit trail": who changed what. */

/** Rows of an entry that a list shows; an export has all of them. */
export const MOST_CHANGES = 50;

const named = z.object({
  id: z.string(),
  /** As it was called then; absent where the change does not say it. */
  name: z.string().optional(),
});
const fields = z.record(z.string(), z.unknown()).nullable();

const auditEntry = z
  .object({
    /** Counts from 1. */
    n: count,
    time: timestamp,
    by: z.object({
      kind: z.enum(ACTORS),
      /** Of an API key its own; of a window or a command line the user's of the system; "browser" for one that was let in by a link. */
      name: z.string(),
      /** Of an API key. */
      id: z.string().optional(),
    }),
    /** Id of the operation, or what the service did by itself. */
    operation: z.string(),
    /** What that is, in words. */
    action: z.string(),
    outcome: z.enum(OUTCOMES),
    /** The entry that said that it was begun. */
    of: count.optional(),
    account_id: z.string().optional(),
    projects: z.array(named),
    devices: z.array(named),
    /** Data keys. */
    keys: z.array(z.string()),
    /** Rows: all of one that came or went, else the fields that differ. Secrets are redacted. */
    changes: z.array(z.object({ table: z.string(), id: z.string(), before: fields, after: fields })),
    /** Further ones, which a list leaves out. */
    more_changes: count,
    /** What was asked, and what came of it. */
    facts: z.unknown().optional(),
    /** Why it failed. */
    message: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = Readonly<z.output<typeof auditEntry>>;

const finding = z.object({
  harm: z.enum(HARMS),
  /** Numbers of entries, from and to. */
  from: count,
  to: count,
  /** Where the line stands; null for one that is gone. */
  place: z.string().nullable(),
  message: z.string(),
});

const verified = z
  .object({
    entries: count,
    first: count.nullable(),
    last: count.nullable(),
    /** SHA-256 of the last line, in hex: noted elsewhere, it shows later that nothing before it was changed. */
    hash: z.string().nullable(),
    /** How many findings there are; `findings` has the first of them. */
    harmed: count,
    findings: z.array(finding),
    /** How many former trails were looked at beside it; what of them is harmed is among the findings. */
    former: count,
  })
  .meta({ id: 'AuditVerified' });
export type AuditVerified = Readonly<z.output<typeof verified>>;

/** Former trail: that of another installation, which the restore of a backup has brought. */
const formerTrail = z.object({
  /** Numbers of its entries. */
  first: count,
  last: count,
  /** Of its last line, in hex, by which it is asked for. */
  sha256: z.string(),
});
export type FormerTrailFacts = Readonly<z.output<typeof formerTrail>>;

/** The former trail that is meant; absent: that of the service. */
const trail = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of a former audit trail, 64 hex digits')
  .optional();

const path = '/_local/v1/audit';
const rights = { permissions: ['admin'], reach: 'installation' } as const;

export const auditOperations = {
  'audit.list': operation({
    ...rights,
    method: 'GET',
    path,
    action: 'get audit trail',
    message: 'Audit trail retrieved successfully.',
    description:
      'Who changed what, the last first: entries that are of a project, a device, a data key, somebody, an operation or a span of time.',
    input: z
      .object({
        trail,
        project_id: id.optional(),
        device_id: id.optional(),
        /** A data key. */
        key: text(1, 200).optional(),
        /** Id or name of an API key, or the name of a user; or one of the kinds. */
        by: text(1, 200).optional(),
        operation: text(1, 100).optional(),
        ...optionalRange,
        /** Entries before the one of this number. */
        before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
        limit: wholeNumber(1, 200).default(50),
      })
      .superRefine(checkOrder),
    output: z.object({
      entries: z.array(auditEntry),
      /** What `before` takes for those that follow; null where there are none. */
      next: count.nullable(),
      former: z.array(formerTrail),
    }),
  }),
  'audit.export': downloadOperation({
    ...rights,
    method: 'GET',
    path: `${path}/export`,
    media: 'application/x-ndjson',
    action: 'export audit trail',
    message: 'Audit trail exported successfully.',
    description: 'Every line as it is kept, the first first; "fieldbench verify" reads the file.',
    input: z.object({ trail }),
    output: z.object({ entries: count }),
  }),
  'audit.verify': operation({
    ...rights,
    method: 'GET',
    path: `${path}/verify`,
    mayTakeLong: true,
    action: 'verify audit trail',
    message: 'Audit trail verified.',
    description:
      'Reads every line, also of former trails, and names each that is gone, was changed, stands elsewhere or was added.',
    input: z.object({}),
    output: verified,
  }),
} as const;
