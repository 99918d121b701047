import { readRows } from '../../backup/backup-rows.ts';
import { readBackup } from '../../backup/read-backup.ts';
import { Refusal } from '../../base/errors.ts';
import { piecesOf } from './send-file.ts';
import { CommandError } from '../refusal.ts';
import type { Holdings } from '../names/look-up.ts';

/**
 * Reads what a backup has: its beginning alone. Rejects with CommandError where it is none or cannot be read, in the words in which a
 * service refuses it.
 */
export async function ofBackup(file: string): Promise<Holdings> {
  const rows = await rowsOf(file);
  const projects = rows.flatMap(({ table, row }) => (table === 'projects' ? [row] : []));
  const devices = Map.groupBy(
    rows.flatMap(({ table, row }) => (table === 'devices' ? [row] : [])),
    ({ project_id }) => project_id,
  );
  return {
    of: 'the backup',
    projects: async () => projects,
    devices: async (project_id) => devices.get(project_id) ?? [],
    hasDevice: async (project_id, device_id) =>
      devices.get(project_id)?.some(({ id }) => id === device_id) ?? false,
  };
}

async function rowsOf(file: string) {
  try {
    const { manifest, members } = await readBackup(piecesOf(file));
    try {
      return await readRows(members, manifest.metadata_version);
    } finally {
      await members.return(undefined);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new CommandError(3, error.message);
  }
}
