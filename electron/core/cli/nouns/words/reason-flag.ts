/** Why data are changed: the audit trail tells it, and some projects ask for it. */
export const REASON_FLAG = { reason: { type: 'string' } } as const;
export const REASON_HELP = `  --reason TEXT       why, for the audit trail; needed where the project asks for one`;

/** By field of an operation, the flag that says it. */
export const REASON_FIELDS = { reason: 'reason' } as const;

/** The field of an operation; none where the flag is absent. */
export const reasonOf = ({ reason }: { readonly reason?: string | undefined }): { reason?: string } =>
  reason === undefined ? {} : { reason };
