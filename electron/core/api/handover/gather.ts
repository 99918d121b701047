import type { View } from '#shared/domain/corrections.ts';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import { formatSeconds, type TimeRange } from '#shared/values/time.ts';
import { notFound } from '../../base/errors.ts';
import type { DeviceFacts, HandedDevice, HandedKey } from '../../handover/content.ts';
import { inPlace } from '../../store/metadata/lens-of.ts';
import type { StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';
import { correctionView, historyView } from '../corrections/correction-views.ts';
import { notesIn } from '../corrections/note-times.ts';
import { keySettingsView, noteView } from '../resources.ts';
import { gatherViews, type Source } from './gather-views.ts';

type Parts = Pick<Context, 'metadata' | 'records' | 'clock' | 'surveys' | 'removals'>;

/** A device that is handed over, and where its records are read. */
export interface Gathered {
  readonly device: HandedDevice;
  readonly sources: Readonly<Record<View, Source>>;
}

export interface Asked {
  readonly devices: readonly string[];
  readonly range: TimeRange;
  /** Of the API key, null for the owner. */
  readonly key_id: string | null;
}

/** Rejects with a 404 Refusal where a device is not there. */
export async function requireDevices(
  ids: readonly string[],
  { metadata }: Pick<Context, 'metadata'>,
): Promise<readonly { readonly device: StoredDevice; readonly project: StoredProject }[]> {
  return metadata.read((tables) =>
    Promise.all(
      ids.map(async (id) => {
        const device = await tables.get('devices', id);
        const project = device && (await tables.get('projects', device.project_id));
        if (!device || !project) throw notFound('Device');
        return { device, project };
      }),
    ),
  );
}

/** Reads all that is known of devices, as it is now. Rejects as `requireDevices`, StoreError, or as the signal's reason. */
export async function gather(
  { devices, range, key_id }: Asked,
  parts: Parts,
  signal?: AbortSignal,
): Promise<readonly Gathered[]> {
  const gathered: Gathered[] = [];
  for (const found of await requireDevices(devices, parts)) {
    signal?.throwIfAborted();
    gathered.push(await gatherOne(found, { range, key_id }, parts, signal));
  }
  return gathered;
}

interface Found {
  readonly device: StoredDevice;
  readonly project: StoredProject;
}

async function gatherOne(
  { device, project }: Found,
  { range, key_id }: Omit<Asked, 'devices'>,
  parts: Parts,
  signal: AbortSignal | undefined,
): Promise<Gathered> {
  const { metadata } = parts;
  const whose = { project_id: project.id, device_id: device.id };
  const rows = await metadata.read(async (tables) => ({
    settings: await tables.list('key_settings', whose),
    corrections: await tables.list('corrections', { device_id: device.id }),
    former: await tables.list('correction_history', { device_id: device.id }),
  }));
  const stored = await notesIn(device.id, 'raw', range, parts);
  const moved = stored.isMoved ? await notesIn(device.id, 'corrected', range, parts) : null;
  const settings = new Map(rows.settings.map((row) => [row.key, keySettingsView(row)]));
  const settled = (key: string): HandedKey => {
    const { device_id: _, ...shown } = { device_id: '', ...NO_SETTINGS, ...settings.get(key), key };
    return shown;
  };
  const isJudged = (key: string) => {
    const { low, high } = settled(key);
    return low !== null || high !== null;
  };
  const views = await gatherViews(device.id, { ...whose, range, key_id, isJudged }, parts, signal);
  const { raw, corrected, touched } = views;
  const keys = [...new Set([...raw.view.keys, ...corrected.view.keys])].toSorted();
  return {
    device: {
      facts: factsOf(device, project),
      keys: keys.map(settled),
      notes: stored.notes.map(noteView),
      ...(moved && { correctedNotes: moved.notes.map(noteView) }),
      corrections: inPlace(rows.corrections).map(correctionView),
      history: historyView(rows.corrections, rows.former),
      views: { raw: raw.view, corrected: corrected.view },
      touched,
    },
    sources: { raw: raw.source, corrected: corrected.source },
  };
}

function factsOf(device: StoredDevice, project: StoredProject): DeviceFacts {
  const { id, name, description, brand, model, source, tags, metadata, interval_s, created } = device;
  return {
    id,
    name,
    description,
    project: { id: project.id, name: project.name },
    brand,
    model,
    source,
    tags,
    metadata,
    interval_s,
    created_at: formatSeconds(created),
  };
}
