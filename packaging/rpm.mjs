import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inProject } from '../scripts/lib/project.mjs';
import { APP } from './identity.mjs';
import { filled, layOutLinux } from './linux-root.mjs';
import { settle } from './settle.mjs';
import { tool } from './tool.mjs';

/** As the .deb's (debian.mjs), by what libraries provide: distributions name packages differently. */
const REQUIRES = [
  'libasound.so.2()(64bit)',
  'libatk-bridge-2.0.so.0()(64bit)',
  'libcups.so.2()(64bit)',
  'libdbus-1.so.3()(64bit)',
  'libdrm.so.2()(64bit)',
  'libgbm.so.1()(64bit)',
  'libgtk-3.so.0()(64bit)',
  'libnotify.so.4()(64bit)',
  'libnspr4.so()(64bit)',
  'libnss3.so()(64bit)',
  'libsecret-1.so.0()(64bit)',
  'libudev.so.1()(64bit)',
  'libuuid.so.1()(64bit)',
  'libxkbcommon.so.0()(64bit)',
  'xdg-utils',
];

const RPM_ARCHS = { x64: 'x86_64', arm64: 'aarch64' };

/**
 * Makes an .rpm by rpmbuild.
 * @param {{ tree: string, work: string, output: string, processor: 'x64' | 'arm64', date: number }} what as makeDeb's
 * @returns {Promise<string>} its path
 */
export async function makeRpm({ tree, work, output, processor, date }) {
  rmSync(work, { recursive: true, force: true });
  const root = path.join(work, 'root');
  layOutLinux(root, tree, date);
  settle(root, date, { helper: 0o4755 });
  const spec = path.join(work, 'fieldbench.spec');
  writeFileSync(
    spec,
    filled('fieldbench.spec', {
      requires: REQUIRES.join(', '),
      afterInstall: script('after-install.sh'),
      afterRemove: script('after-remove.sh'),
    }),
  );
  const made = path.join(work, 'made');
  mkdirSync(made);
  const definitions = [
    `_topdir ${work}/rpm`,
    `_rpmdir ${made}`,
    '_build_name_fmt %%{NAME}-%%{VERSION}.%%{ARCH}.rpm',
  ];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(date) };
  await tool(
    'rpmbuild',
    [
      '-bb',
      ...definitions.flatMap((one) => ['--define', one]),
      '--target',
      `${RPM_ARCHS[processor]}-linux`,
      '--buildroot',
      root,
      spec,
    ],
    { env },
  );
  const name = `${APP.name}-${APP.version}.${RPM_ARCHS[processor]}.rpm`;
  renameSync(path.join(made, name), path.join(output, name));
  return path.join(output, name);
}

/** @param {string} name */
function script(name) {
  return readFileSync(inProject(`packaging/linux/${name}`), 'utf8').replace(/^#!.*\n/, '');
}
