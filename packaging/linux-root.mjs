import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inProject } from '../scripts/lib/project.mjs';
import { APP, IDS, INSTALLED, PROGRAM } from './identity.mjs';
import { LICENCES } from './licences.mjs';

/** @param {string} name a file of packaging/linux/ */
const linuxFile = (name) => inProject(`packaging/linux/${name}`);

/** What the .deb and the .rpm put where, below a folder that stands for "/"; it is emptied.
 * @param {string} root
 * @param {string} tree of an installed app
 * @param {number} date seconds since 1970 of what is packed
 */
export function layOutLinux(root, tree, date) {
  rmSync(root, { recursive: true, force: true });
  /** @param {string} file */
  const below = (file) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    return path.join(root, file);
  };
  cpSync(tree, below(INSTALLED), { recursive: true });
  cpSync(linuxFile('apparmor-profile'), below(`${INSTALLED}/resources/apparmor-profile`));
  symlinkSync(`${INSTALLED}/${PROGRAM}`, below(`/usr/bin/${PROGRAM}`));
  cpSync(linuxFile('fieldbench.desktop'), below(`/usr/share/applications/${APP.desktopName}`));
  const about = filled('fieldbench.metainfo.xml', { date: new Date(date * 1000).toISOString().slice(0, 10) });
  writeFileSync(below(`/usr/share/metainfo/${IDS.appStream}.metainfo.xml`), about);
  for (const icon of readdirSync(inProject('packaging/icons')).filter((name) => name.endsWith('.png')))
    cpSync(
      inProject(`packaging/icons/${icon}`),
      below(`/usr/share/icons/hicolor/${path.parse(icon).name}/apps/${PROGRAM}.png`),
    );
  writeFileSync(
    below(`/usr/share/doc/${APP.name}/copyright`),
    `${readFileSync(inProject('LICENSE'), 'utf8')}
Libraries, Electron and Chromium in it are under licences of their own: ${INSTALLED}/${LICENCES} has all of them.
`,
  );
}

/**
 * A file of packaging/linux/ with its \${names} filled in. Throws where one has no value.
 * @param {string} name
 * @param {Readonly<Record<string, string>>} [values] beside those of package.json
 */
export function filled(name, values = {}) {
  const { version, description, license: licence, homepage, author } = APP;
  /** @type {Readonly<Record<string, string>>} */
  const known = {
    version,
    description,
    licence,
    homepage,
    author: author.name,
    email: author.email,
    ...IDS,
    ...values,
  };
  return readFileSync(linuxFile(name), 'utf8').replaceAll(/\$\{(\w+)\}/g, (_all, key) => {
    const value = known[key];
    if (value === undefined)
      throw new Error(`packaging/linux/${name} asks for "${key}", which has no value.`);
    return value;
  });
}
