import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CACHE, CommandError } from '../lib/project.mjs';

/** @typedef {readonly [string, ...string[]]} Command a program and its arguments */
/**
 * How one system has Fieldbench installed.
 * @typedef {object} System
 * @property {RegExp} file which of the files that `npm run package` makes is installed
 * @property {() => string} program the installed program, as FIELDBENCH_INSTALLED names it; '' where there is none
 * @property {(file: string, root: readonly string[]) => readonly Command[]} install root: what makes a command root's
 * @property {(root: readonly string[]) => readonly Command[]} uninstall
 * @property {((program: string, file: string) => readonly Command[]) | null} signature each says who signed the program, or the file
 *   that people have from elsewhere; null where packages of the system are not signed
 * @property {RegExp} signed what each says of a signature that others trust
 * @property {'before' | 'while' | 'after'} asked when an app that runs is asked to stop: by the person before its files are
 *   replaced, by the installer itself, or by the person after it, since it goes on with the files that it has open
 * @property {(folder: string) => { env: NodeJS.ProcessEnv, data: string }} person somebody whose own files are in the folder:
 *   what tells their programs so, and the data directory that the app then has
 */

const MOUNT = path.join(CACHE, 'dmg');

/** @type {Partial<Record<NodeJS.Platform, System>>} */
export const SYSTEMS = {
  linux: {
    file: /\.deb$/,
    program: () => '/opt/fieldbench/fieldbench',
    // The same version again is what a first one is updated with.
    install: (file, root) => [words([...root, 'apt-get', 'install', '--yes', '--reinstall', file])],
    uninstall: (root) => [words([...root, 'apt-get', 'remove', '--yes', 'fieldbench'])],
    signature: null,
    signed: /./,
    asked: 'after',
    person: (folder) => ({
      env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: path.join(folder, 'config') },
      data: path.join(folder, 'Fieldbench'),
    }),
  },
  win32: {
    file: /-setup\.exe$/,
    program: () => path.join(programFolder(), 'fieldbench.exe'),
    install: (file) => [[file, '/S']],
    // _?= last and without quotes: it then waits, where it would otherwise run on from a copy of itself.
    uninstall: () => [[path.join(programFolder(), 'uninstall.exe'), '/S', `_?=${programFolder()}`]],
    signature: (program, file) =>
      [program, file].map((signed) => [
        'powershell',
        '-NoProfile',
        '-Command',
        `Get-AuthenticodeSignature -LiteralPath '${signed}' | Format-List Path, Status, SignerCertificate`,
      ]),
    signed: /^Status\s*: Valid/m,
    asked: 'while',
    person: (folder) => ({ env: { LOCALAPPDATA: folder }, data: path.join(folder, 'Fieldbench', 'Data') }),
  },
  darwin: {
    file: /\.dmg$/,
    program: () => {
      const folder = path.join(application(), 'Contents', 'MacOS');
      const [name] = existsSync(folder) ? readdirSync(folder) : [];
      return name === undefined ? '' : path.join(folder, name);
    },
    install: (file) => [
      ['mkdir', '-p', MOUNT],
      ['hdiutil', 'attach', '-nobrowse', '-readonly', '-mountpoint', MOUNT, file],
      ['rm', '-rf', application()],
      ['ditto', path.join(MOUNT, 'Fieldbench.app'), application()],
      ['hdiutil', 'detach', MOUNT],
    ],
    uninstall: () => [['rm', '-rf', application()]],
    signature: () => [['codesign', '--display', '--verbose=2', application()]],
    signed: /^Authority=Developer ID Application/m,
    asked: 'before',
    person: (folder) => ({
      env: { HOME: folder },
      data: path.join(folder, 'Library', 'Application Support', 'Fieldbench'),
    }),
  },
};

/**
 * The file of a folder that a system is given. Throws CommandError where there is none, or more than one.
 * @param {System} system
 * @param {string} folder
 */
export function fileFor({ file }, folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => file.test(name)) : [];
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new CommandError(
      `${folder} has ${names.length} files for this system (${String(file)}), not one: npm run package.`,
    );
  return path.join(folder, name);
}

/** The user's own, which needs no administrator. */
const programFolder = () =>
  path.join(process.env.LOCALAPPDATA || path.join(homedir(), 'AppData', 'Local'), 'Programs', 'Fieldbench');

const application = () => path.join(homedir(), 'Applications', 'Fieldbench.app');

/**
 * @param {readonly string[]} all
 * @returns {Command}
 */
function words([first = '', ...rest]) {
  return [first, ...rest];
}
