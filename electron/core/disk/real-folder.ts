import { realpathSync } from 'node:fs';

/**
 * The one path of a folder, whichever leads there, in its own upper and lower case. RAM disks and some virtual drives of
 * Windows do not tell it (EISDIR, https://github.com/vitejs/vite/pull/13655): there links are followed, and letters stay as
 * they were given. Throws Node's errors.
 */
export function realFolder(folder: string, ask: (path: string) => string = realpathSync.native): string {
  try {
    return ask(folder);
  } catch {
    return realpathSync(folder);
  }
}
