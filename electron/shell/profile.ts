import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { StartError } from '#core/errors.ts';

/**
 * One profile, and so one instance, per data directory: apps over different folders do not meet, and on a Mac, where
 * data and profiles share a folder, Chromium's files keep out of the service's. Must run before the app is ready.
 * Throws StartError where the folder cannot be written.
 */
export function keepProfileIn(dataDirectory: string): void {
  const profile = join(dataDirectory, 'window');
  try {
    mkdirSync(profile, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      'read-only',
      `The data directory ${dataDirectory} cannot be written: ${reason}. Choose another with --data DIR.`,
      { cause: error },
    );
  }
  app.setPath('userData', profile);
}
