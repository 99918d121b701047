import { badRequest } from '../../errors.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

/** Devices of a project, and of the installation (docs/api.md, "Limits"): each that has stored takes some KB of memory. */
export const MOST_DEVICES = { project: 50_000, installation: 100_000 };

/** Throws a 400 Refusal where so many devices more are too many for a project, or for all; `made` says that they are in none yet. */
export async function requireRoomForDevices(
  tables: Tables,
  project_id: string,
  more: number,
  { made }: { readonly made: boolean },
): Promise<void> {
  const inProject = await tables.count('devices', { project_id });
  if (inProject + more > MOST_DEVICES.project)
    throw tooMany('A project', MOST_DEVICES.project, inProject, more);
  const inAll = await tables.count('devices');
  if (made && inAll + more > MOST_DEVICES.installation)
    throw tooMany('The whole installation', MOST_DEVICES.installation, inAll, more);
}

const tooMany = (whose: string, most: number, has: number, more: number) =>
  badRequest(
    `${whose} must have at most ${most} devices, has ${has}, and would get ${more} more; delete some`,
  );
