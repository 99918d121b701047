import { createHash } from 'node:crypto';
import { join, posix, win32 } from 'node:path';
import { realFolder } from '../../disk/real-folder.ts';
import { portableFolder } from './portable.ts';
import { homeOf, thisSystem, type UserSystem } from './per-user-folder.ts';

/** Where all profiles of the app's windows are, in the folder that the system has for applications' data. */
export const PROFILES = 'Fieldbench Desktop';

/**
 * Names a data directory, which is there: the same for every path that leads there. Windows ignores case, and not every
 * drive of it tells a folder's own.
 */
export function keyOfFolder(directory: string, platform: NodeJS.Platform = process.platform): string {
  const folder = realFolder(directory);
  const named = platform === 'win32' ? folder.toLowerCase() : folder;
  return createHash('sha256').update(named).digest('hex').slice(0, 16);
}

/**
 * Returns the folders of the desktop app for the data directory of a key: where Electron has its `appData`, and on a Mac its
 * log; of a portable program, beside it. Throws UsageError where the user has no home.
 */
export function appFolders(
  key: string,
  { platform, env, home }: UserSystem = thisSystem,
  portable: string | null = portableFolder(),
): string[] {
  if (portable !== null) return [join(portable, PROFILES, key)];
  switch (platform) {
    case 'darwin': {
      const library = posix.join(homeOf(home), 'Library');
      return [
        posix.join(library, 'Application Support', PROFILES, key),
        posix.join(library, 'Logs', 'Fieldbench', `fieldbench-${key}.log`),
      ];
    }
    case 'win32':
      return [win32.join(env['APPDATA'] || win32.join(homeOf(home), 'AppData', 'Roaming'), PROFILES, key)];
    default: {
      const named = env['XDG_CONFIG_HOME'] ?? '';
      return [
        posix.join(posix.isAbsolute(named) ? named : posix.join(homeOf(home), '.config'), PROFILES, key),
      ];
    }
  }
}
