import { httpOperationIds } from '#shared/operations/index.ts';
import type { FactsMatch } from '#shared/schema/request-match.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../base/errors.ts';
import { nearestOf } from '../base/slips.ts';
import { INGEST } from './facts.ts';

const KNOWN: ReadonlySet<string> = new Set([INGEST, ...httpOperationIds]);

/** Throws a 400 Refusal where a match names an operation that no request can have. `field`: where the match stands. */
export function requireOperation({ operation }: FactsMatch, field: string): void {
  if (operation === undefined || KNOWN.has(operation)) return;
  const nearest = nearestOf(operation, KNOWN);
  throw badRequest(
    `${field}.operation must be the operationId of an operation in the OpenAPI document, or ${quote(INGEST)}, got ${quote(operation)}${nearest === null ? '' : `: did you mean ${quote(nearest)}?`}`,
  );
}
