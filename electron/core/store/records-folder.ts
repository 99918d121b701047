import { anyOf, type Contents } from '../disk/contents.ts';
import { DEVICE_CONTENTS, isDeviceFolder } from './log/device/device-folder.ts';
import { isWalFile } from './log/wal/wal-format.ts';
import { isOfMigration, PLAIN_CONTENTS } from './migrate-plain-log.ts';

/** The folder of the records in a data directory. */
export const RECORDS_FOLDER = 'data';

const LOG_CONTENTS: Contents = {
  isFile: isWalFile,
  folder: (name) => (isDeviceFolder(name) ? DEVICE_CONTENTS : null),
};

/** What is written there, by earlier versions too. */
const RECORDS_CONTENTS = anyOf(LOG_CONTENTS, PLAIN_CONTENTS);

/** The same, for a folder of this name in a data directory; null where none of this name is for records. */
export const recordsIn = (name: string): Contents | null =>
  name === RECORDS_FOLDER || isOfMigration(name, RECORDS_FOLDER) ? RECORDS_CONTENTS : null;
