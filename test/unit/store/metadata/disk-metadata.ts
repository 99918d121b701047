import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import type { Metadata, WritableTables } from '#core/store/metadata/metadata.ts';
import { TRAIL_FOLDER } from '#core/store/trail/trail-names.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { diskFiles, type DiskFiles } from '../../../faults/disk-files.ts';
import { Disk } from '../../../faults/disk.ts';
import { clock } from './metadata-folder.ts';

/* Metadata on a disk in memory (test/faults/), of which a power cut at any moment can be asked for. */

export const FOLDER = '/data';
/** So small that a few changes fill it. */
const JOURNAL_BYTES = 4096;

export const openOn = (files: DiskFiles, leastJournalBytes = JOURNAL_BYTES): Promise<Metadata> =>
  openFolderMetadata({ directory: FOLDER, clock, chance: systemRandom, files, leastJournalBytes });

/** Makes the project of this name, or where there is one removes it; `length` characters of text make it longer. */
export function toggle(name: string, length = 0) {
  return async (tables: WritableTables): Promise<void> => {
    if (await tables.remove('projects', name)) return;
    const description = 'x'.repeat(length);
    await tables.insert('projects', { id: name, account_id: 'a', name, description, created: 1 });
  };
}

export async function projectsOf(store: Metadata): Promise<string[]> {
  const projects = await store.read((tables) => tables.list('projects'));
  return projects.map(({ id }) => id);
}

/** What a disk holds, as text by name. */
export function filesOf(disk: Disk): Record<string, string> {
  const files = [...disk.paths()].map(([path, node]) => [
    path.slice(FOLDER.length + 1),
    Buffer.from(disk.file(node).bytes).toString(),
  ]);
  return Object.fromEntries(files) as Record<string, string>;
}

/** The names of the metadata's files: not of those of the audit trail, which are beside them. */
export const metadataIn = (files: Readonly<Record<string, string>>): string[] =>
  Object.keys(files)
    .filter((name) => !name.startsWith(`${TRAIL_FOLDER}/`))
    .toSorted();

/** A disk with these files in the folder. */
export async function diskWith(contents: Readonly<Record<string, string | Uint8Array>>): Promise<Disk> {
  const disk = new Disk();
  const files = diskFiles(disk);
  await files.makeDirectory(FOLDER);
  for (const [name, content] of Object.entries(contents)) {
    if (name.startsWith(`${TRAIL_FOLDER}/`)) await files.makeDirectory(`${FOLDER}/${TRAIL_FOLDER}`);
    const file = files.openForWriting(`${FOLDER}/${name}`, true);
    file.writeNow(Buffer.from(content), 0);
    file.close();
  }
  return disk;
}

/** The files of a service that was killed after these changes, one after the other. */
export async function killedAfter(
  names: readonly string[],
  given: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const disk = await diskWith(given);
  const store = await openOn(diskFiles(disk));
  for (const name of names) await store.change(toggle(name));
  return filesOf(disk);
}
