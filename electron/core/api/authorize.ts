import type { Operation } from '#shared/schema/operation.ts';
import type { Permission } from '#shared/schema/schemas.ts';
import { forbidden, notFound, Refusal } from '../base/errors.ts';
import type { KeptDelete, StoredKey, StoredProject, StoredView } from '../store/metadata/metadata-schema.ts';
import type { Principal } from './call.ts';
import type { Context } from './context.ts';

type Installation = Pick<Context, 'default_account_id'>;

/** Whether the principal may see the project at all. */
export function mayTouch(principal: Principal, project: Pick<StoredProject, 'id' | 'account_id'>): boolean {
  return project.account_id === principal.account_id && (principal.project_ids?.has(project.id) ?? true);
}

/** Whether the principal may look beyond its own account: one of the default account without a limit to projects. */
export function administers(principal: Principal, { default_account_id }: Installation): boolean {
  return principal.account_id === default_account_id && principal.project_ids === null;
}

/** Throws a 403 Refusal unless the principal may run the operation on what its path names. */
export function authorize(
  principal: Principal,
  operation: Operation,
  found: {
    readonly project?: StoredProject | undefined;
    readonly key?: StoredKey | undefined;
    readonly view?: StoredView | undefined;
    readonly kept?: KeptDelete | undefined;
  },
  installation: Installation,
): void {
  if (found.project && !mayTouch(principal, found.project))
    throw forbidden('This API key has no access to this project.');
  if (found.key && found.key.account_id !== principal.account_id)
    throw forbidden('This API key has no access to the keys of another account.');
  if (found.view && found.view.account_id !== principal.account_id)
    throw forbidden('This API key has no access to the views of another account.');
  if (found.kept && !mayTouch(principal, { id: found.kept.project_id, account_id: found.kept.account_id }))
    throw forbidden('This API key has no access to this delete.');
  requireRights(principal, operation, installation);
}

/**
 * Throws a 403 Refusal unless the principal may run the operation on something: what its path names may still be none of
 * its own.
 */
function requireRights(principal: Principal, operation: Operation, installation: Installation): void {
  requirePermissions(principal, operation.permissions);
  if (operation.reach !== undefined && principal.project_ids !== null)
    throw forbidden('This API key is limited to some projects; this needs a key for the whole account.');
  if (operation.reach === 'installation' && !administers(principal, installation))
    throw forbidden('This API key is of a further account; this needs a key of the default account.');
}

/** Throws a 403 Refusal for any key: only the owner at this machine may make it call others. */
export function requireOwner({ key_id }: Principal): void {
  if (key_id !== null) throw forbidden('Only a window of the machine itself asks services elsewhere.');
}

/** Whether the principal may run the operation on something of its own. */
export function mayRun(principal: Principal, operation: Operation, installation: Installation): boolean {
  try {
    requireRights(principal, operation, installation);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * The account that a call is about: the one it names, or the principal's own. Throws a 403 Refusal where it names another
 * and the principal is no administrator, whether there is such an account or not.
 */
export function accountOf(
  principal: Principal,
  account_id: string | undefined,
  installation: Installation,
): string {
  if (account_id === undefined || account_id === principal.account_id) return principal.account_id;
  if (!administers(principal, installation))
    throw forbidden(
      'account_id must be the account of this API key, or absent; to name another needs a key of the default account.',
    );
  return account_id;
}

/** Resolves with an account as `accountOf`, once it is there. Rejects as that throws, and with a 404 Refusal where there is none. */
export async function worldOf(
  principal: Principal,
  account_id: string | undefined,
  { metadata, ...installation }: Installation & Pick<Context, 'metadata'>,
): Promise<string> {
  const world = accountOf(principal, account_id, installation);
  if (!(await metadata.read((tables) => tables.get('accounts', world)))) throw notFound('Account');
  return world;
}

/** Throws a 403 Refusal unless the principal has all of them. */
export function requirePermissions(principal: Principal, permissions: readonly Permission[]): void {
  for (const permission of permissions)
    if (!principal.permissions.has(permission))
      throw forbidden(`This API key lacks the permission "${permission}".`);
}
