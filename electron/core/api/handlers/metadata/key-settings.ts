import { MOST_EDITS } from '#shared/operations/metadata/edits.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import { notFound } from '../../../base/errors.ts';
import type { StoredProject } from '../../../store/metadata/metadata-schema.ts';
import { Pace } from '../../../turns/pace.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { merged, SETTING_NAMES, writeKeySettings } from '../../edits/write-key-settings.ts';
import { keySettingsView } from '../../resources.ts';

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
    if (dry_run) return { data: { changed: devices.length, before: null } };
    const given = Object.fromEntries(
      SETTING_NAMES.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
    ) as Partial<KeySettings>;
    const data = await context.metadata.change(async (tables) => {
      const former = new Former();
      const changed = await writeKeySettings(
        tables,
        {
          project_id: project.id,
          of: devices.map((device_id) => ({ device_id, key })),
          next({ device_id }, before) {
            const after = merged(before, given);
            former.add(device_id, before);
            return after;
          },
          // Of those that are gone meanwhile none is changed.
          gone({ device_id }) {
            if (device_id === device.id) throw notFound('Device');
          },
        },
        context,
      );
      return { changed, before: former.groups() };
    });
    const { account_id } = project;
    context.events.publish('devices.changed', { account_id, project_id: project.id, device_id: device.id });
    return { data };
  },
};

/** Settings before a change, each with the devices whose they were: of many devices they are mostly the same. */
class Former {
  readonly #byText = new Map<string, { readonly device_ids: string[]; readonly settings: KeySettings }>();
  #devices = 0;

  add(device_id: string, settings: KeySettings): void {
    if (++this.#devices > MOST_EDITS) return this.#byText.clear();
    const text = JSON.stringify(settings);
    const group = this.#byText.get(text);
    if (group) group.device_ids.push(device_id);
    else this.#byText.set(text, { device_ids: [device_id], settings });
  }

  /** Null for more devices than edits take. */
  groups(): OutputOf<'key-settings.set'>['before'] {
    return this.#devices > MOST_EDITS ? null : [...this.#byText.values()];
  }
}

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
