import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';
import { keyOfFolder, PROFILES, SPARE_PROFILE } from '#core/cli/folders/app-folders.ts';
import { portableFolder } from '#core/cli/folders/portable.ts';
import { makeFolders } from '#core/disk/make-folders.ts';
import { StartError } from '#core/base/errors.ts';
import type { Logger } from '#core/base/logger.ts';

/** Electron's profile of one data directory: window state, caches, logs, crash dumps. */
export interface Profile {
  readonly directory: string;
  /** Names the data directory: the same for every path that leads there. */
  readonly key: string;
}

/**
 * One profile, and so one instance, per data directory: apps over different folders do not meet. It is the user's and
 * on this machine, not in the data: Chromium needs symbolic links and locks, which a stick or a share may not have, and
 * nobody backs up its caches. Beside the folder of the app's name, which on a Mac is the data directory itself, and
 * short, since Windows counts the letters of a path. Makes both folders. Must run before the app is ready.
 * Throws StartError where one cannot be made.
 */
export function keepProfile(
  app: Pick<App, 'getPath' | 'setPath'>,
  dataDirectory: string,
  platform: NodeJS.Platform = process.platform,
): Profile {
  make(dataDirectory, `The data directory ${dataDirectory}`, 'Choose another with --data DIR.');
  const key = keyOfFolder(dataDirectory, platform);
  const directory = join(app.getPath('appData'), PROFILES, key);
  make(directory, `The folder ${directory} of the app’s window`, 'Give this user permission to write it.');
  app.setPath('userData', directory);
  return { directory, key };
}

/** Has a portable program keep the profiles beside itself. Must run before any of them is made. */
export function keepBesideProgram(
  app: Pick<App, 'setPath'>,
  portable: string | null = portableFolder(),
): void {
  if (portable !== null) app.setPath('appData', portable);
}

/**
 * The profile of a start that has none yet, or must not have its own: what failed is shown in a window all the same, for
 * which Chromium needs a folder. Without one named it would take the folder of the app's name, which on a Mac is the data.
 * Returns what has it used; it is used until `keepProfile`. Must run before the app is ready.
 */
export function keepSpareProfile(app: Pick<App, 'getPath' | 'setPath'>): () => void {
  let directory = join(app.getPath('appData'), PROFILES, SPARE_PROFILE);
  try {
    makeFolders(directory, 0o700);
  } catch {
    // That this user's folder cannot be written is what will be shown.
    directory = mkdtempSync(join(tmpdir(), 'fieldbench-'));
  }
  const use = () => app.setPath('userData', directory);
  use();
  return use;
}

/** Removes the profile that earlier versions kept in the data directory. Never rejects: what cannot be removed is logged. */
export async function removeOldProfile(
  dataDirectory: string,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const old = join(dataDirectory, 'window');
  // Chromium makes this file in each of its profiles: a folder without it is somebody else's.
  if (!existsSync(join(old, 'Local State'))) return;
  try {
    await rm(old, { recursive: true, maxRetries: 10 });
    log.info(`Removed ${old}, in which an earlier version kept its window’s own files.`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn(`${old}, in which an earlier version kept its window’s own files, cannot be removed: ${reason}`);
  }
}

function make(directory: string, what: string, remedy: string): void {
  try {
    makeFolders(directory, 0o700);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError('read-only', `${what} cannot be made: ${reason}. ${remedy}`, { cause: error });
  }
}
