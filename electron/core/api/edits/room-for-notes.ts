import { badRequest } from '../../base/errors.ts';
import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

const MOST_OF_DEVICE = 10_000;
const MOST_OF_PROJECT = 100_000;

/** Rejects with a 400 Refusal where a device or its project holds no further note. */
export async function requireRoomForNote(
  tables: Tables,
  { id: device_id, project_id }: StoredDevice,
): Promise<void> {
  if ((await tables.count('notes', { device_id })) >= MOST_OF_DEVICE)
    throw badRequest(`a device holds at most ${MOST_OF_DEVICE} notes; delete some first`);
  if ((await tables.count('notes', { project_id })) >= MOST_OF_PROJECT)
    throw badRequest(`a project holds at most ${MOST_OF_PROJECT} notes; delete some first`);
}
