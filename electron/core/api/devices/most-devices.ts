import type { Config } from '../../base/config.ts';
import { badRequest } from '../../base/errors.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

/**
 * Devices of a project, and of an installation over files (docs/running.md, "Limits"), where each that has stored takes some KB
 * of memory.
 */
export const MOST_DEVICES = { project: 100_000, installation: 125_000 };

/** Throws a 400 Refusal where so many more devices are too many for a project. */
export async function requireRoomForDevices(tables: Tables, project_id: string, more: number): Promise<void> {
  const has = await tables.count('devices', { project_id });
  if (has + more > MOST_DEVICES.project) throw tooMany('A project', MOST_DEVICES.project, has, more);
}

/** As `requireRoomForDevices`, of new devices, which count for the installation, too. */
export async function requireRoomForNewDevices(
  tables: Tables,
  project_id: string,
  more: number,
  { store }: Pick<Config, 'store'>,
): Promise<void> {
  await requireRoomForDevices(tables, project_id, more);
  if (store !== null) return;
  const has = await tables.count('devices');
  if (has + more > MOST_DEVICES.installation)
    throw tooMany('The whole installation', MOST_DEVICES.installation, has, more);
}

const tooMany = (whose: string, most: number, has: number, more: number) =>
  badRequest(
    `${whose} must have at most ${most} devices, has ${has}, and would get ${more} more; delete some`,
  );
