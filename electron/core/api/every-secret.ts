import type { Metadata } from '../store/metadata/metadata.ts';
import type { SecretRef } from '../vault/vault.ts';
import { idsOf } from './removal/taking.ts';

const tokenOf = (project_id: string, device_id: string): SecretRef => ({
  kind: 'device-token',
  project_id,
  device_id,
});

/** Resolves with the owners of secrets in the vault, soft-deleted devices included. */
export async function everySecret({
  metadata,
  otherServices,
}: {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly otherServices: { readonly refs: readonly SecretRef[] };
}): Promise<readonly SecretRef[]> {
  return metadata.read(async (tables) => {
    const keys = await tables.list('api_keys');
    const devices = await tables.list('devices');
    const kept = await tables.list('kept_deletes');
    return [
      ...['ca', 'server'].map((id) => ({ kind: 'tls-key', id }) as const),
      ...otherServices.refs,
      ...keys.map(({ id }) => ({ kind: 'api-key', id }) as const),
      ...devices.map(({ project_id, id }) => tokenOf(project_id, id)),
      ...kept.flatMap(({ project_id, rows }) => idsOf(rows, 'devices').map((id) => tokenOf(project_id, id))),
    ];
  });
}
