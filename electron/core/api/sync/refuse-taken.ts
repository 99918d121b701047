import { formatMicros } from '#shared/values/time.ts';
import { badRequest, forbidden } from '../../base/errors.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import { mayTouch } from '../authorize.ts';
import type { Principal } from '../call.ts';
import { ReadOnce } from './look.ts';

/**
 * Throws a 403 Refusal where what has this id belongs to a project that the principal may not touch. What is there and what
 * was deleted have the same words: neither is told to a stranger.
 */
export function refuseElsewhere(
  principal: Principal,
  project: Pick<StoredProject, 'id' | 'account_id'> | null,
): void {
  if (!project || !mayTouch(principal, project))
    throw forbidden('This API key has no access to what has this id.');
}

/** Throws a Refusal where the id is of what was deleted and can be had back: one of the two would be lost then. */
export async function refuseDeleted(
  tables: Tables,
  table: 'projects' | 'devices',
  id: string,
  principal: Principal,
  once = new ReadOnce(tables),
): Promise<void> {
  const deleted = await once.deletedAt(table, id);
  if (deleted === null) return;
  refuseElsewhere(principal, { id: deleted.project_id, account_id: deleted.account_id });
  throw badRequest(
    `id must not be of what was deleted here, got "${id}", deleted on ${formatMicros(deleted.created)}; undo that delete, or discard it`,
  );
}

/**
 * Throws a 400 Refusal where the token is that of a device, also of one that was deleted and can be had back: it keeps its
 * token, and a token names one device.
 */
export async function refuseTokenInUse(
  tables: Tables,
  token_hash: string,
  once = new ReadOnce(tables),
): Promise<void> {
  const isInUse = (await tables.deviceByTokenHash(token_hash)) ?? (await once.deletedWithToken(token_hash));
  if (isInUse)
    throw badRequest(
      'token_hash must be of a token that no other device has, nor had when it was deleted; issue one of them a new token',
    );
}
