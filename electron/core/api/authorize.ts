import type { Operation } from '#shared/operation.ts';
import type { Permission } from '#shared/schemas.ts';
import { forbidden } from '../errors.ts';
import type { StoredKey, StoredProject } from '../store/metadata/metadata-schema.ts';
import type { Principal } from './call.ts';

/** Whether the principal may see the project at all. */
export function mayTouch(principal: Principal, project: Pick<StoredProject, 'id' | 'account_id'>): boolean {
  return project.account_id === principal.account_id && (principal.project_ids?.has(project.id) ?? true);
}

/** Throws a 403 Refusal unless the principal may run the operation on what its path names. */
export function authorize(
  principal: Principal,
  operation: Operation,
  found: { readonly project?: StoredProject | undefined; readonly key?: StoredKey | undefined },
): void {
  if (found.project && !mayTouch(principal, found.project))
    throw forbidden('This API key has no access to this project.');
  if (found.key && found.key.account_id !== principal.account_id)
    throw forbidden('This API key has no access to the keys of another account.');
  requirePermission(principal, operation.permission);
  if (operation.wholeAccount && principal.project_ids !== null)
    throw forbidden('This API key is limited to some projects; this needs a key for the whole account.');
}

function requirePermission(principal: Principal, permission: Permission): void {
  if (!principal.permissions.has(permission))
    throw forbidden(`This API key lacks the permission "${permission}".`);
}
