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

/** Of a start whose data directory is not known yet; all apps of a user share it. */
export const SPARE_PROFILE = 'starts';

/**
 * Returns the folders and files of the desktop app for the data directory of a key: where Electron has its `appData`, and on a
 * Mac its logs; of a portable program, beside it. Throws UsageError where the user has no home.
 */
export function appFolders(
  key: string,
  system: UserSystem = thisSystem,
  portable: string | null = portableFolder(),
): string[] {
  return [
    pathsOf(system).join(profilesFolder(system, portable), key),
    ...logsOfMac(`fieldbench-${key}`, system),
  ];
}

/** Returns those that apps over all data directories share. Throws as `appFolders` does. */
export function sharedAppFolders(
  system: UserSystem = thisSystem,
  portable: string | null = portableFolder(),
): string[] {
  return [
    pathsOf(system).join(profilesFolder(system, portable), SPARE_PROFILE),
    ...logsOfMac('fieldbench', system),
  ];
}

/** Returns the folder of all profiles. Throws UsageError where the user has no home. */
export function profilesFolder(
  { platform, env, home }: UserSystem = thisSystem,
  portable: string | null = portableFolder(),
): string {
  if (portable !== null) return join(portable, PROFILES);
  switch (platform) {
    case 'darwin':
      return posix.join(homeOf(home), 'Library', 'Application Support', PROFILES);
    case 'win32':
      return win32.join(env['APPDATA'] || win32.join(homeOf(home), 'AppData', 'Roaming'), PROFILES);
    default: {
      const named = env['XDG_CONFIG_HOME'] ?? '';
      return posix.join(posix.isAbsolute(named) ? named : posix.join(homeOf(home), '.config'), PROFILES);
    }
  }
}

const pathsOf = ({ platform }: UserSystem) => (platform === 'win32' ? win32 : posix);

/** A log and its older half (electron/shell/start/log-file.ts); elsewhere they are in the profile. */
const logsOfMac = (name: string, { platform, home }: UserSystem): string[] =>
  platform === 'darwin'
    ? ['.log', '.old.log'].map((ending) =>
        posix.join(homeOf(home), 'Library', 'Logs', 'Fieldbench', `${name}${ending}`),
      )
    : [];
