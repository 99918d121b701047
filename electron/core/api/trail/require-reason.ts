import type { Operation } from '#shared/schema/operation.ts';
import { badRequest } from '../../base/errors.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';

/** Whether the project asks for a reason when data are changed; one that was stored before there was the setting does not. */
export const asksForReason = ({ reason_required = false }: Pick<StoredProject, 'reason_required'>): boolean =>
  reason_required;

/** Throws a 400 Refusal where the project asks for a reason of what is to be done, and none is given (docs/local-api.md, "Reasons"). */
export function requireReason(
  { asksForReason: asked }: Pick<Operation, 'asksForReason'>,
  { project }: { readonly project?: StoredProject | undefined },
  input: unknown,
): void {
  if (asked === undefined || !project || !asksForReason(project)) return;
  const given = input as Readonly<Record<string, unknown>>;
  const changes = asked === true ? null : given[asked];
  if (Array.isArray(changes) && changes.length === 0) return;
  const { reason } = given;
  if (typeof reason !== 'string' || reason.trim() === '')
    throw badRequest(
      `reason must be given, 1 to 500 characters that are not all blank: the project "${project.name}" asks for a reason`,
    );
}
