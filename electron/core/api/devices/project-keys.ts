import type { ProjectKeys } from '#shared/operations/metadata/projects.ts';
import { Pace } from '../../turns/pace.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';

/** Devices and keys that are looked at for one answer (docs/local-api.md, "Keys of a project"). */
const MOST_DEVICES = 10_000;
const MOST_KEYS = 65_536;
/** Devices at a time: over a database each costs a question. */
const AT_ONCE = 16;

/** Every key that a device of the project has. Rejects as the signal's reason. */
export async function keysOfProject(
  { id: project_id }: StoredProject,
  { metadata, records }: Pick<Context, 'metadata' | 'records'>,
  signal?: AbortSignal,
): Promise<ProjectKeys> {
  const devices = await metadata.read((tables) => tables.list('devices', { project_id }));
  const ids = devices.slice(0, MOST_DEVICES).map(({ id }) => id);
  const found = new Set<string>();
  const pace = new Pace();
  let at = 0;
  while (at < ids.length && found.size <= MOST_KEYS) {
    signal?.throwIfAborted();
    const some = ids.slice(at, (at += AT_ONCE));
    const lists = await Promise.all(some.map((id) => records.keys(id, signal)));
    for (const keys of lists) for (const key of keys) found.add(key);
    await pace.pause();
  }
  const keys = [...found].toSorted();
  return {
    keys: keys.slice(0, MOST_KEYS),
    complete: at >= devices.length && keys.length <= MOST_KEYS,
  };
}
