import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, inProject } from '../scripts/lib/project.mjs';

/** @typedef {import('./tree.mjs').System} System */
/** @typedef {import('./tree.mjs').Processor} Processor */
/** @typedef {'dir' | 'deb' | 'rpm' | 'tar' | 'setup' | 'zip' | 'mac'} Kind */
/**
 * @typedef {object} Asked
 * @property {System} system
 * @property {Processor} processor
 * @property {readonly Kind[]} kinds
 * @property {boolean} isNamed whether somebody named them, and is owed each
 * @property {string | null} electronDist Electron's unpacked runtime; null to have it downloaded
 * @property {string} output
 */

/** What is made for each system. A Mac's dmg and zip are one, since electron-builder signs what is in both. */
const KINDS = /** @type {const} */ ({
  linux: ['deb', 'rpm', 'tar'],
  win32: ['setup', 'zip'],
  darwin: ['mac'],
});

/**
 * Reads the arguments of `npm run package`. Without a kind all of the system are made, but those whose tool is not here.
 * Throws CommandError where they make no sense.
 * @param {readonly string[]} args
 * @returns {Asked}
 */
export function readArguments(args) {
  const system = process.platform;
  if (system !== 'linux' && system !== 'win32' && system !== 'darwin')
    throw new CommandError(`there is no package for ${system}.`);
  const kinds = [...KINDS[system], 'dir'];
  /** @type {{ values: Record<string, unknown> }} */
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      options: {
        arch: { type: 'string', default: process.arch },
        electron: { type: 'string' },
        output: { type: 'string', default: inProject('dist') },
        ...Object.fromEntries(kinds.map((kind) => [kind, { type: /** @type {const} */ ('boolean') }])),
      },
    });
  } catch (error) {
    throw new CommandError(
      `${error instanceof Error ? error.message : String(error)} (kinds here: --${kinds.join(', --')})`,
    );
  }
  const { arch, electron, output } = parsed.values;
  if (arch !== 'x64' && arch !== 'arm64')
    throw new CommandError(`--arch takes x64 or arm64, got "${String(arch)}".`);
  const electronDist = typeof electron === 'string' ? path.resolve(electron) : null;
  if (electronDist !== null && !existsSync(electronDist))
    throw new CommandError(
      `--electron names the folder of an unpacked Electron, and ${electronDist} is not there.`,
    );
  const asked = kinds.filter((kind) => parsed.values[kind] === true);
  return {
    system,
    processor: arch,
    kinds: /** @type {Kind[]} */ (asked.length > 0 ? asked : [...KINDS[system]]),
    isNamed: asked.length > 0,
    electronDist,
    output: path.resolve(String(output)),
  };
}
