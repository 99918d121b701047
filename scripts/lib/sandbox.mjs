import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Where Linux says what it lets unprivileged programs do; tests have folders of their own.
 * @typedef {object} SandboxPaths
 * @property {string} settings /proc/sys
 * @property {string} profiles AppArmor's, which may allow a program what others may not
 */

/** @type {SandboxPaths} */
const SYSTEM = { settings: '/proc/sys', profiles: '/etc/apparmor.d' };

/** What forbids user namespaces, by its name in sysctl(8) and the value that does. */
const FORBIDS = /** @type {const} */ ([
  ['kernel.unprivileged_userns_clone', '0'],
  ['user.max_user_namespaces', '0'],
  ['kernel.apparmor_restrict_unprivileged_userns', '1'],
]);

/**
 * Why Chromium's sandbox, without which no window opens, cannot be made here; null where it can, or nothing speaks against
 * it. It needs user namespaces, or a chrome-sandbox beside the program that is root's and set-user-ID: Chromium's
 * docs/linux/suid_sandbox_development.md.
 * @param {string | null} program Electron's; null where it is not here yet, when nothing of it can be root's either
 * @param {SandboxPaths} [paths]
 * @returns {string | null}
 */
export function whyNoSandbox(program, { settings, profiles } = SYSTEM) {
  const helper = program === null ? null : path.join(path.dirname(program), 'chrome-sandbox');
  if (helper !== null && isRootsHelper(helper)) return null;
  for (const [name, value] of FORBIDS) {
    if (read(path.join(settings, ...name.split('.'))) !== value) continue;
    if (name.includes('apparmor') && program !== null && hasProfile(program, profiles)) continue;
    const howTo = `sudo chown root:root "${helper}" && sudo chmod 4755 "${helper}"`;
    return (
      `This system allows Electron no sandbox (${name} is ${value}` +
      `${helper === null ? '' : `; an administrator can allow it: ${howTo}`})`
    );
  }
  return null;
}

/** @param {string} helper */
function isRootsHelper(helper) {
  const stats = statSync(helper, { throwIfNoEntry: false });
  return stats !== undefined && stats.uid === 0 && (stats.mode & 0o4001) === 0o4001;
}

/**
 * @param {string} program
 * @param {string} profiles
 */
function hasProfile(program, profiles) {
  try {
    return readdirSync(profiles).some((name) => read(path.join(profiles, name))?.includes(program) ?? false);
  } catch {
    // No AppArmor, or not to be read: then none is known.
    return false;
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // Systems have some of these files; a folder is none.
    return null;
  }
}
