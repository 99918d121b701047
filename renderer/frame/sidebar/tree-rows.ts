import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { FoundProject } from '#shared/operations/metadata/projects.ts';
import { isFound, matches } from '#shared/values/text.ts';
import { byName } from '../../order-by-name.ts';
import type { Route } from '../../router.ts';

/** A row of the tree. `place` is its place among its siblings, from 1, of which there are `of`. */
export type TreeRow =
  | {
      readonly kind: 'project';
      readonly key: string;
      readonly project: FoundProject;
      readonly open: boolean;
      readonly place: number;
      readonly of: number;
    }
  | {
      readonly kind: 'device';
      readonly key: string;
      readonly project_id: string;
      readonly device: FoundDevice;
      /** Whether another device of the project has the same name. */
      readonly twin: boolean;
      readonly place: number;
      readonly of: number;
    }
  /** In place of devices that are not there, or not yet. */
  | { readonly kind: 'words'; readonly key: string; readonly text: string };

/** Known devices of a project; both null: loading. */
export interface KnownDevices {
  readonly value: readonly FoundDevice[] | null;
  readonly error: string | null;
}

export interface TreeState {
  readonly projects: readonly FoundProject[];
  readonly devices: ReadonlyMap<string, KnownDevices>;
  readonly unfolded: ReadonlySet<string>;
  readonly filter: string;
}

/** The rows of the tree, in order. With a filter: the devices that it finds, and the projects that have some or match. */
export function treeRows({ projects, devices, unfolded, filter }: TreeState): readonly TreeRow[] {
  const isFiltered = filter.trim() !== '';
  const shown: { project: FoundProject; open: boolean; found: readonly FoundDevice[] }[] = [];
  for (const project of byName(projects, 'projects')) {
    const known = devices.get(project.id)?.value ?? [];
    const all = isFiltered || unfolded.has(project.id) ? byName(known, project.id) : [];
    const found = isFiltered ? all.filter((device) => isFound(filter, device)) : all;
    if (isFiltered && found.length === 0 && !matches(filter, project.name, project.description)) continue;
    shown.push({ project, open: isFiltered ? found.length > 0 : unfolded.has(project.id), found });
  }
  const rows: TreeRow[] = [];
  for (const [index, { project, open, found }] of shown.entries()) {
    const { id } = project;
    rows.push({ kind: 'project', key: id, project, open, place: index + 1, of: shown.length });
    if (!open) continue;
    const twins = twinsOf(found);
    for (const [at, device] of found.entries())
      rows.push({
        kind: 'device',
        key: `${id}/${device.id}`,
        project_id: id,
        device,
        twin: twins.has(device.name),
        place: at + 1,
        of: found.length,
      });
    if (found.length === 0) rows.push({ kind: 'words', key: `${id}/words`, text: wordsOf(devices.get(id)) });
  }
  return rows;
}

function wordsOf(known: KnownDevices | undefined): string {
  if (known?.error) return known.error;
  return known?.value ? 'No devices' : 'Reading the devices…';
}

/** Names that more than one device has. */
function twinsOf(devices: readonly FoundDevice[]): ReadonlySet<string> {
  const twins = new Set<string>();
  // They are in the order of their names.
  for (const [index, { name }] of devices.entries()) if (devices[index + 1]?.name === name) twins.add(name);
  return twins;
}

/** Where a row leads to; of a device to its chart. */
export function routeOfRow(row: Exclude<TreeRow, { kind: 'words' }>): Route {
  if (row.kind === 'project') return { screen: 'devices', project_id: row.project.id };
  return { screen: 'device', project_id: row.project_id, device_id: row.device.id, tab: 'chart' };
}
