import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { NODE_24 } from '../../scripts/lib/node24.mjs';
import { npmRebuild } from '../../scripts/lib/npm.mjs';
import { CommandError, inProject } from '../../scripts/lib/project.mjs';
import { isNotShipped } from '../not-shipped.mjs';
import { LICENCES, wholeLicences } from '../licences.mjs';
import { tool } from '../tool.mjs';

/** Of keytar, what a program loads. */
const KEYTAR = ['package.json', 'LICENSE.md', 'lib/keytar.js', 'build/Release/keytar.node'];

/** What is built and a service without a window does not start. */
const OF_THE_WINDOW = 'main.js';

/**
 * Lays out all that a service needs on a system with nothing but a shell and the libraries of C and C++: the pinned Node without its symbols, what was
 * built, keytar where it was built, units, licences. Rights are the same whatever the umask. Throws CommandError.
 * @param {string} folder is emptied
 * @param {{ version: string }} about
 */
export async function layOut(folder, { version }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true });
  const node = path.join(folder, 'node_modules/.bin/node');
  copyFileSync(NODE_24, node);
  await tool('strip', [node]);

  const isShipped = (/** @type {string} */ file) =>
    !file.endsWith('.map') && path.basename(file) !== OF_THE_WINDOW && !isNotShipped(file);
  cpSync(inProject('out/main'), path.join(folder, 'out/main'), { recursive: true, filter: isShipped });
  // The app in a browser, and the documentation.
  cpSync(inProject('out/renderer'), path.join(folder, 'out/renderer'), { recursive: true });
  // Not what deploy/compose.yaml has made beside it.
  const isOurs = (/** @type {string} */ file) => !/^\.env$|\.(key|pem)$/.test(path.basename(file));
  cpSync(inProject('deploy'), path.join(folder, 'deploy'), { recursive: true, filter: isOurs });
  if (existsSync(inProject('node_modules/keytar/build/Release/keytar.node')))
    for (const file of KEYTAR)
      cpSync(inProject(`node_modules/keytar/${file}`), path.join(folder, 'node_modules/keytar', file));

  copyFileSync(inProject('packaging/headless/fieldbench'), path.join(folder, 'fieldbench'));
  const licence = inProject(
    `node_modules/node/node_modules/node-${process.platform}-${process.arch}/LICENSE`,
  );
  await provideLicence(licence, () => npmRebuild('node'));
  writeFileSync(path.join(folder, LICENCES), wholeLicences([{ title: 'Node.js', file: licence }]));
  // Where the app in a browser has it.
  rmSync(path.join(folder, 'out/renderer', LICENCES));
  symlinkSync(`../../${LICENCES}`, path.join(folder, 'out/renderer', LICENCES));
  // Without it Node would take the files for CommonJS.
  writeFileSync(
    path.join(folder, 'package.json'),
    `${JSON.stringify({ name: 'fieldbench', version, type: 'module' })}\n`,
  );
  writeFileSync(path.join(folder, 'README.txt'), readme(version));
  setRights(folder);
}

/**
 * Looks that Node's licence is here, which the platform's package of Node has. An `npm install` by hand takes that package away, as no
 * lock file names it, and leaves the program that came with it. Throws CommandError.
 * @param {string} file
 * @param {() => Promise<unknown>} bring runs what brings the package
 */
export async function provideLicence(file, bring) {
  if (existsSync(file)) return;
  console.log("Bringing Node's licence, which is in its package …");
  await bring();
  if (!existsSync(file))
    throw new CommandError(
      `Node's licence, which has to ship with it, is not in ${file}: npm rebuild node --ignore-scripts=false brings it.`,
    );
}

/** @param {string} version */
const readme = (
  version,
) => `Fieldbench ${version}, the service without a window, for Linux ${process.arch} with glibc 2.28 or newer and libstdc++. It needs no rights and no Node.
Run it: ./fieldbench serve --vault file (data in ~/.local/share/Fieldbench; --data DIR, --help), end it: ./fieldbench stop
See it: ./fieldbench open prints the address of the app in a browser; documentation: out/renderer/docs/index.html, install.md in it first
Start it with the machine, over files or over a database: the units in deploy/, whose first lines say where they go
Licences of all that is in it: ${LICENCES}
`;

/** @param {string} folder */
function setRights(folder) {
  for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(parentPath, name);
    const stats = statSync(file);
    chmodSync(file, stats.isDirectory() || isProgram(file) ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}

/** @param {string} file */
function isProgram(file) {
  const start = readFileSync(file).subarray(0, 4);
  const isScript = start.toString('latin1', 0, 2) === '#!' && !file.endsWith('.js');
  return isScript || path.basename(file) === 'node';
}
