import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Chromium's set-user-ID helper, for systems without user namespaces: root's, in what root installs alone. */
const HELPER = 'chrome-sandbox';

/**
 * Makes of two builds' files the same: rights as nobody's umask has them, and one date.
 * @param {string} folder
 * @param {number} date seconds since 1970
 * @param {{ helper: 0o755 | 0o4755 }} rights of Chromium's helper
 */
export function settle(folder, date, { helper }) {
  for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(parentPath, name);
    const stats = lstatSync(file);
    if (!stats.isSymbolicLink()) {
      const isProgram = stats.isDirectory() || (stats.mode & 0o100) !== 0;
      chmodSync(file, name === HELPER ? helper : isProgram ? 0o755 : 0o644);
    }
    lutimesSync(file, date, date);
  }
  chmodSync(folder, 0o755);
  lutimesSync(folder, date, date);
}
