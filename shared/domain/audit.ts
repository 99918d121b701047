/** Who acts, as the audit trail tells them apart. */
export const ACTORS = ['key', 'window', 'command line', 'service'] as const;

/**
 * What an entry of the audit trail says of its change: `done`, as it is durable with it; `begun`, and whether it ended is what a
 * later entry says; `failed`.
 */
export const OUTCOMES = ['done', 'begun', 'failed'] as const;
export type AuditOutcome = (typeof OUTCOMES)[number];

/** Stands in an entry where a secret was. */
export const REDACTED = '(redacted)';

/** What may be found of an entry that is not as it was written. */
export const HARMS = ['missing', 'changed', 'moved', 'added', 'unreadable'] as const;
