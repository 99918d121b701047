import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { badRequest, notFound } from '../../../base/errors.ts';
import { keySettingsId, type StoredProject } from '../../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../../store/metadata/metadata.ts';
import { MOST_KEYS_OF_DEVICE } from '../../../store/store-errors.ts';
import { Pace } from '../../../turns/pace.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { keySettingsView } from '../../resources.ts';

/** Rows that all keys of a project may have together. */
const MOST_OF_PROJECT = 100_000;

const NAMES = Object.keys(NO_SETTINGS) as (keyof KeySettings)[];

export const keySettingsHandlers: HandlersOf<'key-settings'> = {
  async 'key-settings.list'({ input, project }, { metadata }) {
    const { device_id } = input;
    const rows = await metadata.read((tables) =>
      tables.list('key_settings', { project_id: project.id, ...(device_id !== undefined && { device_id }) }),
    );
    return { data: rows.map(keySettingsView) };
  },

  async 'key-settings.set'({ input, project, device, signal }, context) {
    const { key, apply_to, dry_run } = input;
    const devices =
      apply_to === 'project' ? await devicesWith(key, device.id, project, context, signal) : [device.id];
    if (dry_run) return { data: { changed: devices.length } };
    const given = Object.fromEntries(
      NAMES.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
    ) as Partial<KeySettings>;
    const of = { project_id: project.id, device_id: device.id, key };
    const changed = await context.metadata.change((tables) => setAll(tables, of, devices, given, context));
    const { account_id } = project;
    context.events.publish('devices.changed', { account_id, project_id: project.id, device_id: device.id });
    return { data: { changed } };
  },
};

/** The devices of the project that have this key, and the one that was named, first. */
async function devicesWith(
  key: string,
  named: string,
  { id: project_id }: StoredProject,
  { metadata, records }: Pick<Context, 'metadata' | 'records'>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const devices = await metadata.read((tables) => tables.list('devices', { project_id }));
  const found = [named];
  const pace = new Pace();
  for (const { id } of devices) {
    if (id !== named && (await records.keys(id, signal)).includes(key)) found.push(id);
    await pace.pause();
    signal?.throwIfAborted();
  }
  return found;
}

interface Of {
  readonly project_id: string;
  /** The device that was named: where it is gone, nothing is changed. */
  readonly device_id: string;
  readonly key: string;
}

/** All of them, or none. Resolves with how many devices were changed; of those that are gone meanwhile, none is. */
async function setAll(
  tables: WritableTables,
  { project_id, device_id: named, key }: Of,
  devices: readonly string[],
  given: Partial<KeySettings>,
  { clock }: Pick<Context, 'clock'>,
): Promise<number> {
  const { there, rows, counts } = await heldBy(tables, project_id, key, devices);
  let room = MOST_OF_PROJECT - (await tables.count('key_settings', { project_id }));
  let changed = 0;
  for (const device_id of devices) {
    if (!there.has(device_id)) {
      if (device_id === named) throw notFound('Device');
      continue;
    }
    changed++;
    const id = keySettingsId(device_id, key);
    const before = rows.get(device_id);
    const after = merged(before ?? NO_SETTINGS, given);
    if (NAMES.every((name) => after[name] === NO_SETTINGS[name])) {
      if (before && (await tables.remove('key_settings', id))) room++;
    } else if (before) await tables.patch('key_settings', id, after);
    else {
      if (room-- <= 0)
        throw badRequest(`a project holds settings of at most ${MOST_OF_PROJECT} keys; clear some first`);
      if ((counts.get(device_id) ?? 0) >= MOST_KEYS_OF_DEVICE)
        throw badRequest(`a device holds settings of at most ${MOST_KEYS_OF_DEVICE} keys; clear some first`);
      await tables.insert('key_settings', { id, project_id, device_id, key, ...after, created: clock.now() });
    }
  }
  return changed;
}

/** State of some devices before a change. */
interface Held {
  /** The devices that exist in this project. */
  readonly there: ReadonlySet<string>;
  /** Settings of the key, by device. */
  readonly rows: ReadonlyMap<string, KeySettings>;
  /** Of how many keys settings are held, by device. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Of one device what is needed is asked for, however much it and others hold; of several all that the project holds is
 * read, as questions for each of ten thousand take a database seconds.
 */
async function heldBy(
  tables: WritableTables,
  project_id: string,
  key: string,
  devices: readonly string[],
): Promise<Held> {
  const [only = '', ...others] = devices;
  if (others.length === 0) {
    const device = await tables.get('devices', only);
    const row = await tables.get('key_settings', keySettingsId(only, key));
    return {
      there: new Set(device?.project_id === project_id ? [only] : []),
      rows: new Map(row ? [[only, row]] : []),
      counts: new Map([[only, await tables.count('key_settings', { device_id: only })]]),
    };
  }
  const all = await tables.list('key_settings', { project_id });
  const counts = new Map<string, number>();
  for (const { device_id } of all) counts.set(device_id, (counts.get(device_id) ?? 0) + 1);
  return {
    there: new Set((await tables.list('devices', { project_id })).map(({ id }) => id)),
    rows: new Map(all.filter((row) => row.key === key).map((row) => [row.device_id, row])),
    counts,
  };
}

function merged(before: KeySettings, given: Partial<KeySettings>): KeySettings {
  const after = {} as Record<keyof KeySettings, unknown>;
  for (const name of NAMES) after[name] = given[name] === undefined ? before[name] : given[name];
  const { low, high } = after as unknown as KeySettings;
  if (low !== null && high !== null && low > high)
    throw badRequest(`low must not be above high, got ${low} and ${high}`);
  return after as unknown as KeySettings;
}
