import type { Source } from '#shared/schemas.ts';
import { forbidden, unauthorized } from '../errors.ts';
import type { StoredDevice } from '../store/metadata/metadata-schema.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import type { Sender } from './ingest.ts';

/** Who sends with the token that has this hash (vault/secrets.ts); rejects with a 401 Refusal where there is none. */
export async function senderOfToken(metadata: Metadata, hash: string): Promise<Sender> {
  return metadata.read(async (tables) => {
    const device = await tables.deviceByTokenHash(hash);
    const project = device && (await tables.get('projects', device.project_id));
    if (!project) throw unauthorized('The device token is unknown or was renewed.');
    return { account_id: project.account_id, device };
  });
}

/** Throws a 403 Refusal where a device may not store over this source. */
export function requireSource(device: StoredDevice, source: Source): void {
  if (device.source !== source)
    throw forbidden(
      `This device stores data over ${device.source.toUpperCase()}; its source is not "${source}".`,
    );
}
