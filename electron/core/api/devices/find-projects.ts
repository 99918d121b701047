import type { View } from '#shared/domain/corrections.ts';
import { statusOf } from '#shared/domain/device-status.ts';
import type { FoundProject } from '#shared/operations/metadata/projects.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import { mayTouch } from '../authorize.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { viewedOf } from '../corrections/viewed.ts';
import { localProjectView } from '../resources.ts';
import { readOutside } from './last-values.ts';
import { normalRangesOf } from './normal-ranges.ts';

/** Resolves with the projects of an account that one may see, newest first. */
export async function projectsOf(
  principal: Principal,
  { metadata }: Pick<Context, 'metadata'>,
): Promise<readonly StoredProject[]> {
  const { account_id } = principal;
  const projects = await metadata.read((tables) => tables.list('projects', { account_id }));
  return projects
    .filter((project) => mayTouch(principal, project))
    .toSorted((a, b) => b.created - a.created || b.sequence - a.sequence);
}

/** Resolves with counts of a project's devices by status. */
export async function countDevices(
  project: StoredProject,
  view: View,
  { metadata, records, clock }: Pick<Context, 'metadata' | 'records' | 'clock'>,
): Promise<FoundProject> {
  const { devices, ranges } = await metadata.read(async (tables) => ({
    devices: await tables.list('devices', { project_id: project.id }),
    ranges: await normalRangesOf(tables, { project_id: project.id }),
  }));
  const ids = devices.map(({ id }) => id);
  const lastSeen = await records.lastSeen(ids);
  const views = await viewedOf(project.id, ids, view, { metadata });
  const extents = await records.extents(views);
  const outside = await readOutside(views, ranges, records);
  const now = clock.now();
  const counts = { online: 0, late: 0, never: 0 };
  for (const [i, { interval_s }] of devices.entries())
    counts[statusOf(lastSeen[i] ?? null, interval_s, now)]++;
  const hasFilesOnly = (i: number) => (lastSeen[i] ?? null) === null && (extents[i]?.records ?? 0) > 0;
  return {
    ...localProjectView(project),
    devices: devices.length,
    ...counts,
    recordings: devices.filter((_, i) => hasFilesOnly(i)).length,
    outside: outside.size,
    corrected: views.filter((each) => typeof each === 'object').length,
    records: extents.reduce((sum, extent) => sum + extent.records, 0),
  };
}
