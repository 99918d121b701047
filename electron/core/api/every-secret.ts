import { SIGNING_KEY } from '../handover/signing-key.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import type { WorldSnapshots } from '../store/world-snapshots.ts';
import type { SecretRef } from '../vault/vault.ts';
import { idsOf } from './removal/taking.ts';
import { MAIL_PASSWORD } from './rules/mail-server.ts';
import { ownersIn, savedRef } from './snapshots/snapshot-secrets.ts';
import { savedRows } from './snapshots/world-rows.ts';

const tokenOf = (project_id: string, device_id: string): SecretRef => ({
  kind: 'device-token',
  project_id,
  device_id,
});

/** Resolves with the owners of secrets in the vault, those of soft-deleted devices and of snapshots included. */
export async function everySecret({
  metadata,
  otherServices,
  worlds,
}: {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly otherServices: { readonly refs: readonly SecretRef[] };
  readonly worlds: { readonly snapshots: Pick<WorldSnapshots, 'list' | 'rows'> } | null;
}): Promise<readonly SecretRef[]> {
  const saved: SecretRef[] = [];
  for (const { id } of worlds?.snapshots.list() ?? []) {
    const rows = savedRows(await worlds?.snapshots.rows(id));
    saved.push(...ownersIn(rows).map((owner) => savedRef(id, owner)));
  }
  return metadata.read(async (tables) => {
    const keys = await tables.list('api_keys');
    const devices = await tables.list('devices');
    const kept = await tables.list('kept_deletes');
    return [
      ...['ca', 'server'].map((id) => ({ kind: 'tls-key', id }) as const),
      SIGNING_KEY,
      MAIL_PASSWORD,
      ...otherServices.refs,
      ...saved,
      ...keys.map(({ id }) => ({ kind: 'api-key', id }) as const),
      ...devices.map(({ project_id, id }) => tokenOf(project_id, id)),
      ...kept.flatMap(({ project_id, rows }) => idsOf(rows, 'devices').map((id) => tokenOf(project_id, id))),
    ];
  });
}
