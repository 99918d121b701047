import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { CommandError } from '../scripts/lib/project.mjs';
import { makeAppFolder } from './app-folder.mjs';
import { builderConfig } from './builder-config.mjs';
import { checkFuses } from './fuses.mjs';
import { PRODUCT, PROGRAM } from './identity.mjs';
import { LICENCES, wholeLicences } from './licences.mjs';
import { forgetEmptyCertificate } from './signing.mjs';

/** @typedef {'linux' | 'win32' | 'darwin'} System */
/** @typedef {'x64' | 'arm64'} Processor */
/** @typedef {{ system: System, processor: Processor }} Target */
/** @typedef {{ folder: string, hasKeytar: boolean }} Tree folder: of an installed app, without the files that carry it */
/** @typedef {(file: string) => Promise<void>} Sign signs a program of Windows, where a certificate is named */

const OF_MAC = 'Electron.app/Contents/Resources';

/** Of Electron's runtime, what only a development tree has. */
const NOT_SHIPPED = ['resources/default_app.asar', `${OF_MAC}/default_app.asar`, 'version'];

/** Of a runtime's licences, what electron-builder calls them in what it lays out. */
const ELECTRONS = { LICENSE: 'LICENSE.electron.txt', 'LICENSES.chromium.html': 'LICENSES.chromium.html' };

const PLATFORMS = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC };
const ARCHS = { x64: Arch.x64, arm64: Arch.arm64 };

/**
 * Makes the folder of an installed app by electron-builder, and looks at what came of it.
 * @param {Target} target
 * @param {{ work: string, electronDist: string | null, dirOnly?: boolean, finish?: (tree: Tree, sign: Sign) => Promise<void> }} how
 *   work: a folder for it, which is emptied; electronDist: Electron's unpacked runtime, null to download it; finish: makes more of
 *   the folder, while what signs it is still there
 * @returns {Promise<Tree>}
 */
export async function makeTree(
  { system, processor },
  { work, electronDist, dirOnly = true, finish = () => Promise.resolve() },
) {
  rmSync(work, { recursive: true, force: true });
  const app = path.join(work, 'app');
  const { hasKeytar } = makeAppFolder(app, { platform: system, arch: processor });
  if (hasKeytar) checkNodeApi(path.join(app, 'node_modules/keytar/build/Release/keytar.node'));
  let folder = '';
  /** @param {string} made */
  const extracted = (made) => {
    folder = made;
    for (const name of NOT_SHIPPED) rmSync(path.join(made, name), { force: true });
    gatherLicences(
      path.join(made, system === 'darwin' ? OF_MAC : '.'),
      system === 'darwin' ? electronDist : null,
    );
  };
  let isFinished = false;
  /** @param {Sign} sign */
  const finishBy = async (sign) => {
    await checkFuses(programIn(folder, system));
    await finish({ folder, hasKeytar }, sign);
    isFinished = true;
  };
  const output = path.join(work, 'made');
  const signed = system === 'win32' ? finishBy : null;
  const config = builderConfig({ app, hasKeytar, output, electronDist, extracted, signed });
  const targets = PLATFORMS[system].createTarget(dirOnly ? 'dir' : null, ARCHS[processor]);
  forgetEmptyCertificate(process.env);
  try {
    await build({ config, targets, publish: 'never' });
  } catch (error) {
    throw folder === '' ? whyNoRuntime(error) : error;
  }
  if (!isFinished) await finishBy(() => Promise.resolve());
  return { folder, hasKeytar };
}

/**
 * Writes the licences of all that ships as one file, and takes away the two that it holds from then on.
 * @param {string} place where they are in what electron-builder lays out
 * @param {string | null} dist the folder of a Mac's runtime, of which electron-builder takes the app alone; null: they are in place
 */
function gatherLicences(place, dist) {
  const [electron = '', chromium = ''] = Object.entries(ELECTRONS).map(([name, laidOut]) =>
    dist === null ? path.join(place, laidOut) : path.join(dist, name),
  );
  const text = wholeLicences([
    { title: 'Electron', file: electron },
    { title: 'Chromium, which is in Electron', file: chromium },
  ]);
  writeFileSync(path.join(place, LICENCES), text);
  if (dist === null) for (const file of [electron, chromium]) rmSync(file);
}

/**
 * What to say where there is no runtime: one that was not downloaded, in words.
 * @param {unknown} error as electron-builder has it, or the `got` that it downloads by
 * @returns {unknown}
 */
export const whyNoRuntime = (error) =>
  error instanceof Error && /^(Request|HTTP|Timeout)Error$/.test(error.name)
    ? new CommandError(
        `Electron's runtime could not be downloaded (${error.message}); --electron DIR names the folder of an unpacked one.`,
      )
    : error;

/**
 * @param {string} folder
 * @param {System} system
 */
const programIn = (folder, system) =>
  path.join(folder, system === 'darwin' ? `${PRODUCT}.app` : system === 'win32' ? `${PROGRAM}.exe` : PROGRAM);

/**
 * keytar is packed as it was built for Node: what it asks of its host must be Node-API alone. Where there is no nm, as on
 * Windows, the package's own promise counts (keytar 7, package.json, binary.napi_versions).
 * @param {string} module
 */
function checkNodeApi(module) {
  if (process.platform === 'win32') return;
  const args = process.platform === 'darwin' ? ['-u', module] : ['-D', '--undefined-only', module];
  const others = foreignSymbols(execFileSync('nm', args, { encoding: 'utf8' }));
  if (others.length > 0)
    throw new CommandError(`${module} needs more of its host than Node-API: ${others.join(', ')}.`);
}

/**
 * @param {string} listed by nm
 * @returns {string[]} what only one version of Node, V8 or libuv has
 */
export const foreignSymbols = (listed) =>
  listed
    .split('\n')
    .map((line) => line.trim().split(/\s+/).at(-1) ?? '')
    .filter((name) => /^_?(uv_|node_module_register|_?_?ZN2v8|_?_?ZN4node|_?_?ZN?K?2v8)/.test(name));
