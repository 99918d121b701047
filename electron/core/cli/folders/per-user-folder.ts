import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { UsageError } from '../../base/errors.ts';

export interface UserSystem {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** May throw: in a container a user can have neither HOME nor an entry in the list of users. */
  readonly home: () => string;
}

/**
 * Returns the folder for data of this user, absolute: as Apple's "File System Basics", Windows' Known Folders and the XDG
 * Base Directory Specification have it. Throws UsageError where the user has no home.
 */
export function perUserFolder({ platform, env, home }: UserSystem = thisSystem): string {
  switch (platform) {
    case 'darwin':
      return posix.join(homeOf(home), 'Library', 'Application Support', 'Fieldbench');
    case 'win32':
      return win32.join(
        env['LOCALAPPDATA'] || win32.join(homeOf(home), 'AppData', 'Local'),
        'Fieldbench',
        'Data',
      );
    default: {
      const named = env['XDG_DATA_HOME'] ?? '';
      // The specification: a relative path is to be ignored.
      return posix.join(
        posix.isAbsolute(named) ? named : posix.join(homeOf(home), '.local', 'share'),
        'Fieldbench',
      );
    }
  }
}

export const thisSystem: UserSystem = { platform: process.platform, env: process.env, home: homedir };

/** Throws UsageError where there is none. */
export function homeOf(home: () => string): string {
  let found = '';
  try {
    found = home();
  } catch {
    // What this throws says less than the sentence below.
  }
  // Holds for paths of every system; what is relative would be another folder wherever it is started.
  if (win32.isAbsolute(found)) return found;
  throw new UsageError(
    'This user has no home folder to keep data in. Name a data directory with --data DIR.',
  );
}
