import type { TimeRange } from '#shared/values/time.ts';

/** The ends of a span that were given. */
export function rangeOf({
  start,
  end,
}: {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}): TimeRange {
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}
