import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmCommand } from '../scripts/lib/npm.mjs';
import { CommandError, inProject } from '../scripts/lib/project.mjs';
import { run } from '../scripts/lib/run.mjs';
import { APP } from './identity.mjs';

/**
 * @typedef {{ 'bom-ref': string, name: string, version: string, scope?: string, properties?: unknown }} Component
 * @typedef {{ serialNumber: string, metadata: { timestamp: string, lifecycles?: unknown, tools?: unknown, component: Component },
 *   components: Component[], dependencies: { ref: string, dependsOn: string[] }[] }} Bom
 */

/**
 * Writes what ships as CycloneDX: of npm's own list the libraries whose code is in the bundles (licences.txt), and what runs them.
 * @param {{ output: string, date: number, name: string, runtime: 'electron' | 'node' }} what date: seconds since 1970; name: of
 *   what ships; runtime: the package of what runs it
 * @returns {Promise<string>} its path
 */
export async function writeSbom({ output, date, name, runtime }) {
  const npm = npmCommand(process.env);
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error'];
  const { code, output: listed } = await run(npm.command, [...npm.args, ...args], { output: 'quiet' });
  if (code !== 0) throw new CommandError(`npm sbom failed:\n${listed.trim()}`);
  const file = path.join(output, `${name}-${APP.version}.cdx.json`);
  const bom = shippedOf(JSON.parse(listed), { shipped: shippedWith(runtime), name, date });
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  return file;
}

/**
 * @param {'electron' | 'node'} runtime
 * @returns {Set<string>} "name version" of it and of each library that ships
 */
function shippedWith(runtime) {
  const licences = readFileSync(inProject('out/renderer/licences.txt'), 'utf8');
  const names = licences.matchAll(/^={80}\n(\S+ \S+): /gm);
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(inProject(`node_modules/${runtime}/package.json`), 'utf8'));
  return new Set([...Array.from(names, ([, name = '']) => name), `${runtime} ${version}`]);
}

/**
 * The part of a list that ships, without what differs from run to run. Throws where a library is missing in it.
 * @param {Bom} bom
 * @param {{ shipped: ReadonlySet<string>, name: string, date: number }} what shipped: "name version"; name: of what ships; date:
 *   seconds since 1970
 * @returns {Bom}
 */
export function shippedOf(bom, { shipped, name, date }) {
  /** @type {Map<string, Component>} */
  const found = new Map();
  for (const { scope: _scope, properties: _properties, ...component } of bom.components) {
    const named = `${component.name} ${component.version}`;
    // One that lies in several folders is listed for each.
    if (shipped.has(named) && !found.has(named)) found.set(named, component);
  }
  const missing = [...shipped].filter((named) => !found.has(named));
  if (missing.length > 0) throw new CommandError(`npm's list of packages lacks ${missing.join(', ')}.`);
  const components = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component);
  const refs = new Set([bom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)).toSorted() }))
    .toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
  const serial = createHash('sha256')
    .update(JSON.stringify([name, APP.version, date, components]))
    .digest('hex');
  // npm takes the name of the folder.
  const component = { ...bom.metadata.component, type: 'application', name };
  return {
    ...bom,
    serialNumber: `urn:uuid:${uuidOf(serial)}`,
    metadata: { ...bom.metadata, timestamp: new Date(date * 1000).toISOString(), component },
    components,
    dependencies,
  };
}

/**
 * A name-based UUID (RFC 9562, version 8) of a hash.
 * @param {string} hex
 */
const uuidOf = (hex) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
