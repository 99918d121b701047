import { join } from 'node:path';
import { StartError } from '../base/errors.ts';
import type { Contents } from '../disk/contents.ts';
import type { Files } from '../disk/files.ts';
import { DEVICE_CONTENTS, isDeviceFolder } from './log/device/device-folder.ts';
import { SNAPSHOTS_CONTENTS, SNAPSHOTS_FOLDER } from './log/device/saved/saved-files.ts';
import { isWalFile } from './log/wal/wal-format.ts';

/** The folder of the records in a data directory. */
export const RECORDS_FOLDER = 'data';

/** Files of the records' folder. */
export const RECORDS_CONTENTS: Contents = {
  isFile: isWalFile,
  folder(name) {
    if (name === SNAPSHOTS_FOLDER) return SNAPSHOTS_CONTENTS;
    return isDeviceFolder(name) ? DEVICE_CONTENTS : null;
  },
};

/** A device's state or records in the plain log, which no release has written (docs/storage-format.md, "Versions"). */
const PLAIN_FILE = /^(state\d+_.*|\d+-\d+\.log)$/;
/** Where a build that moved them to the append log was stopped, in place of the folder of the records. */
const HALF_MOVED = `${RECORDS_FOLDER}.migrated`;

/**
 * Refuses a data directory whose records are in the plain log, beside which the append log would begin anew. Changes
 * nothing. Throws StartError `unsupported-format`; also Node's errors.
 */
export async function checkRecords(directory: string, files: Files): Promise<void> {
  const names = (await files.list(directory)).map(({ name }) => name);
  if (names.includes(RECORDS_FOLDER)) await checkFolder(join(directory, RECORDS_FOLDER), files);
  else if (names.includes(HALF_MOVED))
    throw unsupported(`${join(directory, HALF_MOVED)} was left by a move from`);
}

async function checkFolder(folder: string, files: Files): Promise<void> {
  const entries = await files.list(folder);
  if (entries.some(({ name }) => isWalFile(name))) return;
  for (const { name: device, isDirectory } of entries) {
    if (!isDirectory) continue;
    const plain = (await files.list(join(folder, device))).find(({ name }) => PLAIN_FILE.test(name));
    if (plain) throw unsupported(`${join(folder, device, plain.name)} is of`);
  }
}

function unsupported(what: string): StartError {
  return new StartError(
    'unsupported-format',
    `${what} the plain log, which no release has written, and this Fieldbench reads the append log alone ` +
      '(wal-*.log and *.seg). Nothing was changed. Move the folder of the records away, or choose another with --data.',
  );
}
