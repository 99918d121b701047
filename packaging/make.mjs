import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CACHE, CommandError, inProject } from '../scripts/lib/project.mjs';
import { which } from '../scripts/lib/run.mjs';
import { makeTarGz, makeZip, writeSums } from './archives.mjs';
import { makeDeb } from './debian.mjs';
import { APP, PRODUCT, PROGRAM } from './identity.mjs';
import { packedDate } from './packed-date.mjs';
import { makeRpm } from './rpm.mjs';
import { writeSbom } from './sbom.mjs';
import { makeTree } from './tree.mjs';
import { makeInstaller } from './windows.mjs';

/** @typedef {import('./targets.mjs').Asked} Asked */
/** @typedef {import('./targets.mjs').Kind} Kind */
/**
 * @typedef {{ tree: string, work: string, output: string, processor: 'x64' | 'arm64', date: number,
 *   sign: import('./tree.mjs').Sign }} Place
 */

/** Has a program keep its data beside itself (electron/core/cli/folders/portable.ts). */
const PORTABLE = 'fieldbench-portable.txt';

/**
 * How each is made of the folder of an installed app, and the program that it takes.
 * @type {Record<Exclude<Kind, 'dir' | 'mac'>, { tool: string | null, brings: string, make: (place: Place) => Promise<string> }>}
 */
const MAKERS = {
  deb: { tool: 'dpkg-deb', brings: 'dpkg', make: makeDeb },
  rpm: { tool: 'rpmbuild', brings: 'rpm', make: makeRpm },
  tar: {
    tool: 'tar',
    brings: 'tar',
    make: (place) => makeTarGz({ ...place, name: `${PROGRAM}-${APP.version}-linux-${place.processor}` }),
  },
  setup: { tool: 'makensis', brings: 'nsis', make: makeInstaller },
  zip: {
    tool: null,
    brings: '',
    make: (place) =>
      makeZip({
        ...place,
        name: `${PRODUCT}-${APP.version}-${place.processor}-portable`,
        also: {
          [PORTABLE]: readFileSync(inProject(`packaging/windows/${PORTABLE}`), 'utf8').replaceAll(
            '\n',
            '\r\n',
          ),
        },
      }),
  },
};

/**
 * Makes files to install from, their checksums and a list of what is in them.
 * @param {Asked} asked
 * @returns {Promise<string[]>} their paths
 */
export async function makePackages(asked) {
  const { system, processor, kinds, electronDist, output } = asked;
  mkdirSync(output, { recursive: true });
  const date = packedDate();
  const work = path.join(CACHE, 'package', `${system}-${processor}`);
  /** @type {string[]} */
  const made = [];
  await makeTree(
    { system, processor },
    {
      work,
      electronDist,
      dirOnly: !kinds.includes('mac'),
      finish: async ({ folder, hasKeytar }, sign) => {
        if (!hasKeytar)
          console.warn(
            `Without keytar, which was not built for ${system} ${processor}: this app keeps secrets in files.`,
          );
        made.push(...(await makeKinds(asked, { tree: folder, work, output, processor, date, sign })));
      },
    },
  );
  made.push(await writeSbom({ output, date, name: APP.name, runtime: 'electron' }));
  await writeSums(output);
  return [...made, path.join(output, 'SHA256SUMS')];
}

/**
 * @param {Asked} asked
 * @param {Place} place
 * @returns {Promise<string[]>} their paths
 */
async function makeKinds({ kinds, isNamed }, place) {
  /** @type {string[]} */
  const made = [];
  for (const kind of kinds) {
    if (kind === 'dir') made.push(place.tree);
    else if (kind === 'mac') made.push(...takeOver(path.dirname(place.tree), place.output));
    else {
      const { tool, brings, make } = MAKERS[kind];
      if (tool === null || which(tool) !== null) {
        made.push(await make({ ...place, work: path.join(place.work, kind) }));
        continue;
      }
      const help = `${tool} is not here, by which it is made (Debian, Ubuntu: apt install ${brings}).`;
      if (isNamed) throw new CommandError(`there can be no ${kind}: ${help}`);
      console.warn(`skipped: no ${kind}: ${help}`);
    }
  }
  return made;
}

/**
 * The dmg and the zip that electron-builder has made.
 * @param {string} from
 * @param {string} output
 */
function takeOver(from, output) {
  const files = readdirSync(from).filter((name) => /\.(dmg|zip)$/.test(name));
  for (const name of files) cpSync(path.join(from, name), path.join(output, name));
  return files.map((name) => path.join(output, name));
}
