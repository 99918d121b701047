import { bottomOf, isWidgetType, LAST_ROW, placeOfLayout } from '#shared/domain/dashboard.ts';
import type { DashboardFile, ImportedDevice } from '#shared/operations/metadata/widgets.ts';
import type { StoredWidget } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

/* The widgets of a project as a file, and back (docs/dashboards.md, "Export and import"). */

type Written = DashboardFile['widgets'][number];

export async function fileOfWidgets(tables: Tables, project_id: string): Promise<DashboardFile> {
  const names = new Map((await tables.list('devices', { project_id })).map(({ id, name }) => [id, name]));
  const widgets = (await tables.list('widgets', { project_id })).map(
    ({ title, type, sources, layout, range }): Written => ({
      title,
      type,
      sources: sources.map(({ device_id, key }) => {
        return { device: { id: device_id, name: names.get(device_id) ?? '' }, key };
      }),
      layout,
      range,
    }),
  );
  return { fieldbench: 'dashboard', version: 1, widgets };
}

interface Found {
  /** Of the file, each once, as they come in it. */
  readonly devices: readonly ImportedDevice[];
  /** Sources in the project; those whose device was not found are left out. */
  readonly sourcesOf: (sources: Written['sources']) => StoredWidget['sources'];
}

/** Finds the devices of a file in a project: by id, else by the whole name where one device alone has it. */
export async function sourcesFound(
  tables: Tables,
  project_id: string,
  { widgets }: DashboardFile,
): Promise<Found> {
  const here = await tables.list('devices', { project_id });
  const ids = new Set(here.map(({ id }) => id));
  const named = Map.groupBy(here, ({ name }) => name);
  const found = new Map<string, ImportedDevice>();
  for (const { sources } of widgets)
    for (const { device } of sources) {
      if (found.has(device.id)) continue;
      const alike = named.get(device.name) ?? [];
      const only = alike.length === 1 ? alike[0] : undefined;
      if (ids.has(device.id)) found.set(device.id, { ...device, device_id: device.id, by: 'id' });
      else found.set(device.id, { ...device, device_id: only?.id ?? null, by: only ? 'name' : null });
    }
  return {
    devices: [...found.values()],
    sourcesOf: (sources) =>
      sources.flatMap(({ device, key }) => {
        const device_id = found.get(device.id)?.device_id ?? null;
        return device_id === null ? [] : { device_id, key };
      }),
  };
}

/** Resolves with what moves a layout of a known type below the widgets that a project has. */
export async function placeInFile(
  tables: Tables,
  project_id: string,
): Promise<(type: string, layout: Written['layout']) => Written['layout']> {
  const there = (await tables.list('widgets', { project_id })).filter(({ type }) => isWidgetType(type));
  const bottom = bottomOf(there.map(({ layout }) => placeOfLayout(layout)));
  return (type, layout) => {
    const place = isWidgetType(type) ? placeOfLayout(layout) : null;
    return place === null ? layout : { ...layout, y: Math.min(LAST_ROW, place.y + bottom) };
  };
}
