import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import { badRequest } from '../../base/errors.ts';
import { keySettingsId } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import { MOST_KEYS_OF_DEVICE } from '../../store/store-errors.ts';
import type { Context } from '../context.ts';

/** Rows that all keys of a project may have together. */
const MOST_OF_PROJECT = 100_000;

export const SETTING_NAMES = Object.keys(NO_SETTINGS) as (keyof KeySettings)[];

export interface DeviceKey {
  readonly device_id: string;
  readonly key: string;
}

interface Writing<Of extends DeviceKey> {
  readonly project_id: string;
  readonly of: readonly Of[];
  /** The settings from now on; throws, or rejects with, a Refusal. */
  readonly next: (of: Of, before: KeySettings) => Awaitable<KeySettings>;
  /** A device that is not in the project; throws a Refusal, or else it is passed over. */
  readonly gone: (of: Of) => void;
}

/** Writes how keys of devices are shown: all of them, or none. Resolves with how many were written; what stays as it is, too. */
export async function writeKeySettings<Of extends DeviceKey>(
  tables: WritableTables,
  { project_id, of, next, gone }: Writing<Of>,
  { clock }: Pick<Context, 'clock'>,
): Promise<number> {
  const { there, rows, counts } = await heldBy(tables, project_id, of);
  let room = MOST_OF_PROJECT - (await tables.count('key_settings', { project_id }));
  let written = 0;
  for (const one of of) {
    const { device_id, key } = one;
    if (!there.has(device_id)) {
      gone(one);
      continue;
    }
    written++;
    const id = keySettingsId(device_id, key);
    const row = rows.get(id);
    const before = settingsOf(row ?? NO_SETTINGS);
    const after = await next(one, before);
    const count = counts.get(device_id) ?? 0;
    if (isSame(after, before)) continue;
    if (isSame(after, NO_SETTINGS)) {
      if (await tables.remove('key_settings', id)) room++;
      counts.set(device_id, count - 1);
      rows.delete(id);
      continue;
    }
    if (row) await tables.patch('key_settings', id, after);
    else {
      if (room-- <= 0)
        throw badRequest(`a project holds settings of at most ${MOST_OF_PROJECT} keys; clear some first`);
      if (count >= MOST_KEYS_OF_DEVICE)
        throw badRequest(`a device holds settings of at most ${MOST_KEYS_OF_DEVICE} keys; clear some first`);
      await tables.insert('key_settings', { id, project_id, device_id, key, ...after, created: clock.now() });
      counts.set(device_id, count + 1);
    }
    rows.set(id, after);
  }
  return written;
}

/** The settings with the fields of others in place of their own. Throws a 400 Refusal where its range would be none. */
export function merged(before: KeySettings, given: Partial<KeySettings>): KeySettings {
  const after = {} as Record<keyof KeySettings, unknown>;
  for (const name of SETTING_NAMES) after[name] = given[name] === undefined ? before[name] : given[name];
  const { low, high } = after as unknown as KeySettings;
  if (low !== null && high !== null && low > high)
    throw badRequest(`low must not be above high, got ${low} and ${high}`);
  return after as unknown as KeySettings;
}

const settingsOf = (row: KeySettings): KeySettings => merged(row, {});

const isSame = (a: KeySettings, b: KeySettings) => SETTING_NAMES.every((name) => a[name] === b[name]);

/** State of some devices before a change. */
interface Held {
  /** The devices that exist in this project. */
  readonly there: ReadonlySet<string>;
  /** Settings by `keySettingsId`. */
  readonly rows: Map<string, KeySettings>;
  /** Of how many keys settings are held, by device. */
  readonly counts: Map<string, number>;
}

/**
 * Of one device what is needed is asked for, however much it and others hold; of several all that the project holds is
 * read, as questions for each of ten thousand take a database seconds.
 */
async function heldBy(tables: WritableTables, project_id: string, of: readonly DeviceKey[]): Promise<Held> {
  const [only, ...others] = of;
  if (only === undefined) return { there: new Set(), rows: new Map(), counts: new Map() };
  if (others.length === 0) {
    const { device_id, key } = only;
    const device = await tables.get('devices', device_id);
    const id = keySettingsId(device_id, key);
    const row = await tables.get('key_settings', id);
    return {
      there: new Set(device?.project_id === project_id ? [device_id] : []),
      rows: new Map(row ? [[id, row]] : []),
      counts: new Map([[device_id, await tables.count('key_settings', { device_id })]]),
    };
  }
  const all = await tables.list('key_settings', { project_id });
  const counts = new Map<string, number>();
  for (const { device_id } of all) counts.set(device_id, (counts.get(device_id) ?? 0) + 1);
  return {
    there: new Set((await tables.list('devices', { project_id })).map(({ id }) => id)),
    rows: new Map(all.map((row) => [row.id, row])),
    counts,
  };
}
