import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { CommandError } from '../scripts/lib/project.mjs';

/**
 * What the shipped Electron does (electron/docs/tutorial/fuses.md). It is the app, and no Node that runs whatever a variable
 * or a switch says; it takes its code from the archive alone, whose hash macOS and Windows compare.
 * @satisfies {NonNullable<import('electron-builder').Configuration['electronFuses']>}
 */
export const FUSES = {
  runAsNode: false,
  // There are none, and Chromium would ask the keychain for the key.
  enableCookieEncryption: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

/** Bytes of the fuse wire (electron/docs/tutorial/fuses.md, "The hard way"). */
const [OFF, ON] = ['0'.charCodeAt(0), '1'.charCodeAt(0)];

/**
 * Reads the fuses back from what ships. Throws CommandError where one is not as it should be.
 * @param {string} program Electron's program, or a Mac's .app
 */
export async function checkFuses(program) {
  const wire = /** @type {Record<string, unknown>} */ (await getCurrentFuseWire(program));
  for (const [name, isOn] of Object.entries(FUSES)) {
    const index =
      FuseV1Options[/** @type {keyof typeof FuseV1Options} */ (name[0]?.toUpperCase() + name.slice(1))];
    if (wire[index] !== (isOn ? ON : OFF))
      throw new CommandError(
        `the fuse ${name} of ${program} is not ${isOn ? 'on' : 'off'} (${String(wire[index])}).`,
      );
  }
}
