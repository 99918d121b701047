import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmCommand } from '../../scripts/lib/npm.mjs';
import { CommandError, inProject } from '../../scripts/lib/project.mjs';
import { tool } from '../tool.mjs';

/** What the package takes over from that of the project. */
const SAME = [
  'name',
  'version',
  'description',
  'type',
  'license',
  'author',
  'homepage',
  'bin',
  'exports',
  'engines',
];

/** What is built and has no use without Electron. */
const OF_THE_WINDOW = 'main.js';

/**
 * Makes the service and its client as a package for npm: what was built, which needs no other package. An install of the file
 * therefore asks no registry. Throws CommandError.
 * @param {string} output a folder
 * @returns {Promise<string>} path of the file
 */
export async function makeNpm(output) {
  const work = path.join(output, '.npm-work');
  mkdirSync(output, { recursive: true });
  try {
    const about = layOut(work);
    const npm = npmCommand(process.env);
    const args = [...npm.args, 'pack', '--silent', '--ignore-scripts', '--pack-destination', output];
    await tool(npm.command, args, { cwd: work });
    const file = path.join(output, `${about.name}-${about.version}.tgz`);
    if (!existsSync(file)) throw new CommandError(`npm pack wrote no ${file}.`);
    return file;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder is emptied
 * @returns {{ name: string, version: string }}
 */
function layOut(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'out'), { recursive: true });
  const isShipped = (/** @type {string} */ file) =>
    !file.endsWith('.map') && path.basename(file) !== OF_THE_WINDOW;
  cpSync(inProject('out/main'), path.join(folder, 'out/main'), { recursive: true, filter: isShipped });
  // The app in a browser, and the documentation.
  cpSync(inProject('out/renderer'), path.join(folder, 'out/renderer'), { recursive: true });
  copyFileSync(inProject('LICENSE'), path.join(folder, 'LICENSE'));
  copyFileSync(inProject('out/renderer/licences.txt'), path.join(folder, 'LICENSES.libraries.txt'));
  const project = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const about = Object.fromEntries(SAME.map((name) => [name, project[name]]));
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  writeFileSync(path.join(folder, 'README.md'), README);
  return project;
}

const README = `# Fieldbench

The service without a window, and a client for test suites in TypeScript:

\`\`\`js
import { startService } from 'fieldbench/client';

const service = await startService({ inMemory: true });
console.log(await service.client.projects.list());
await service.stop();
\`\`\`

\`npx fieldbench serve --in-memory\` runs it alone, \`npx fieldbench --help\` names all commands.
`;
