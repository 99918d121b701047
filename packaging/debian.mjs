import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inProject } from '../scripts/lib/project.mjs';
import { APP } from './identity.mjs';
import { layOutLinux } from './linux-root.mjs';
import { settle } from './settle.mjs';
import { tool } from './tool.mjs';

/**
 * What Electron's program is linked to or opens (electron/docs/development/build-instructions-linux.md; Chromium,
 * chrome/installer/linux/debian/additional_deps), and keytar. Where Debian gave a library another name for its 64-bit times,
 * the new package says that it provides the old one.
 */
const DEPENDS = [
  // With a version: Ubuntu has another package that provides it without one, and is none (liboss4-salsa-asound2).
  'libasound2 (>= 1.0.17)',
  'libatk-bridge2.0-0',
  'libatspi2.0-0',
  'libc6 (>= 2.31)',
  'libcups2',
  'libdbus-1-3',
  'libdrm2',
  'libgbm1',
  'libgtk-3-0',
  'libnotify4',
  'libnspr4',
  'libnss3',
  'libsecret-1-0',
  'libudev1',
  'libuuid1',
  'libxkbcommon0',
  'libxss1',
  'libxtst6',
  'xdg-utils',
];
/** A keychain to talk to; without one secrets are in files. */
const RECOMMENDS = ['gnome-keyring | kwalletmanager'];

const DEBIAN_ARCHS = { x64: 'amd64', arm64: 'arm64' };

/**
 * Makes a .deb by Debian's own dpkg-deb.
 * @param {{ tree: string, work: string, output: string, processor: 'x64' | 'arm64', date: number, version?: string }} what
 *   tree: of an installed app; work: a folder for it, which is emptied; date: seconds since 1970
 * @returns {Promise<string>} its path
 */
export async function makeDeb({ tree, work, output, processor, date, version = APP.version }) {
  layOutLinux(work, tree, date);
  const control = path.join(work, 'DEBIAN');
  const files = filesIn(work);
  mkdirSync(control);
  const sums = files
    .filter(({ isFile }) => isFile)
    .map(({ name }) => `${md5(path.join(work, name))}  ${name}\n`);
  writeFileSync(path.join(control, 'md5sums'), sums.join(''));
  const kibibytes = files.reduce((sum, { bytes }) => sum + Math.ceil(bytes / 1024), 0);
  writeFileSync(path.join(control, 'control'), controlOf({ version, processor, kibibytes }));
  for (const [name, script] of /** @type {const} */ ([
    ['postinst', 'after-install.sh'],
    ['postrm', 'after-remove.sh'],
  ]))
    cpSync(inProject(`packaging/linux/${script}`), path.join(control, name));
  settle(work, date, { helper: 0o4755 });
  for (const script of ['postinst', 'postrm']) await tool('chmod', ['755', path.join(control, script)]);
  const file = path.join(output, `${APP.name}_${version}_${DEBIAN_ARCHS[processor]}.deb`);
  // One thread: several cut what they compress into other blocks.
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(date), DPKG_DEB_THREADS_MAX: '1' };
  await tool('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', work, file], { env });
  return file;
}

/** @param {{ version: string, processor: 'x64' | 'arm64', kibibytes: number }} what */
const controlOf = ({ version, processor, kibibytes }) => `Package: ${APP.name}
Version: ${version}
Section: science
Priority: optional
Architecture: ${DEBIAN_ARCHS[processor]}
Maintainer: ${APP.author.name} <${APP.author.email}>
Installed-Size: ${kibibytes}
Depends: ${DEPENDS.join(', ')}
Recommends: ${RECOMMENDS.join(', ')}
Homepage: ${APP.homepage}
Description: Record, chart and hand over what devices measure
${APP.description.replaceAll(/(.{1,76})(?: |$)/g, ' $1\n')}`;

/**
 * @param {string} folder
 * @returns {{ name: string, isFile: boolean, bytes: number }[]} sorted by name, with "/"
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const stats = lstatSync(path.join(folder, name));
      return { name, isFile: stats.isFile(), bytes: stats.isDirectory() ? 1024 : stats.size };
    });
}

/** @param {string} file */
function md5(file) {
  return createHash('md5').update(readFileSync(file)).digest('hex');
}
