import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { ask } from '../bridge/ask.ts';

/** So many at a time that reading an answer keeps no frame waiting. */
const AT_ONCE = 1_000;
/** More than these that changed are read with all the others: as many ids fit into an address, by which a service elsewhere is asked. */
const MOST_CHANGED = 300;

/** Cache of a project's devices, with marks of stale ones. */
class KnownDevices {
  #devices: ReadonlyMap<string, FoundDevice> = new Map();
  /** Null: of all of them. */
  #changed: Set<string> | null = null;

  /** Marks one device as changed, or all (null). */
  changed(device_id: string | null): void {
    if (device_id === null) this.#changed = null;
    else this.#changed?.add(device_id);
  }

  /** Reads what changed, newest made first. */
  async read(project_id: string, keys: string): Promise<readonly FoundDevice[]> {
    const changed = this.#changed;
    this.#changed = new Set();
    try {
      const some = changed !== null && changed.size <= MOST_CHANGED ? changed : null;
      this.#devices = some ? await this.#readSome(project_id, keys, some) : await readAll(project_id, keys);
    } catch (error) {
      this.#changed = null;
      throw error;
    }
    return [...this.#devices.values()];
  }

  async #readSome(
    project_id: string,
    keys: string,
    changed: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, FoundDevice>> {
    const devices = new Map(this.#devices);
    const ids = [...changed].join(',');
    const input = { project_id, keys, ids, view: 'corrected', limit: MOST_CHANGED } as const;
    for (const device of await ask('devices.find', input)) devices.set(device.id, device);
    return devices;
  }
}

/** Every device of a project, newest made first. */
async function readAll(project_id: string, keys: string): Promise<ReadonlyMap<string, FoundDevice>> {
  // By id: what is made or deleted meanwhile moves the pages.
  const found = new Map<string, FoundDevice>();
  for (let page = 1; ; page++) {
    // An order that stays as it is while devices store.
    const input = { project_id, keys, view: 'corrected', sort: 'created', page, limit: AT_ONCE } as const;
    const devices = await ask('devices.find', input);
    for (const device of devices) found.set(device.id, device);
    if (devices.length < AT_ONCE) return found;
  }
}

/** Every device of a project, newest made first, whatever is known of them. */
export async function readAllDevices(project_id: string): Promise<readonly FoundDevice[]> {
  return [...(await readAll(project_id, '')).values()];
}

const known = new Map<string, KnownDevices>();

/** Returns the cache of the devices that `of` names: a project, and the keys of last values. */
function knownOf(of: string): KnownDevices {
  let devices = known.get(of);
  if (!devices) known.set(of, (devices = new KnownDevices()));
  return devices;
}

/** Names the devices of a project for `devices`, with the last values of these keys; none: of each device's own. */
export const devicesOf = (project_id: string, keys: readonly string[] = []) =>
  keys.length === 0 ? project_id : `${project_id}?${keys.join(',')}`;

/** The project that `devicesOf` was told. */
export const projectOf = (of: string) => of.split('?', 1)[0] ?? '';

/** Marks one device as changed, or all (null). */
export function devicesChanged(of: string, device_id: string | null): void {
  knownOf(of).changed(device_id);
}

/** Drops the cache of a project that is no longer shown. */
export function forgetDevices(of: string): void {
  known.delete(of);
}

/** Every device of a project, newest made first: all at first, then those that changed. */
export function readDevices(of: string): Promise<readonly FoundDevice[]> {
  const project_id = projectOf(of);
  return knownOf(of).read(project_id, of.slice(project_id.length + 1));
}
