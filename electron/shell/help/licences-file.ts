import { join, posix, win32 } from 'node:path';

/** As packaging/licences.mjs has it, and scripts/lib/licences.mjs of a build. */
export const LICENCES_FILE = 'licences.txt';

/** Where an app's program and page are. */
interface Place {
  readonly isPackaged: boolean;
  readonly program: string;
  /** The folder of the built page. */
  readonly renderer: string;
  readonly platform?: NodeJS.Platform;
}

/**
 * Returns where the licences of all that ships are: of an installed app beside its program, on a Mac in its Resources, as they
 * are too large for the archive with those of Chromium; of one that is only built beside its page.
 */
export function licencesFile({ isPackaged, program, renderer, platform = process.platform }: Place): string {
  if (!isPackaged) return join(renderer, LICENCES_FILE);
  if (platform === 'win32') return win32.join(win32.dirname(program), LICENCES_FILE);
  if (platform === 'darwin') return posix.join(program, '../../Resources', LICENCES_FILE);
  return posix.join(posix.dirname(program), LICENCES_FILE);
}
