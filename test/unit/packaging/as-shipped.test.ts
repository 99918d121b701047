import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkFuses, FUSES } from '../../../packaging/fuses.mjs';
import { APP } from '../../../packaging/identity.mjs';
import { isBuilt } from '../../../scripts/lib/build.mjs';
import { inProject } from '../../../scripts/lib/project.mjs';

/* What holds of everything that is handed out. */

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-shipped-'))));
afterAll(() => rm(folder, { recursive: true }));

test('nothing is told to go without its sandbox, but tests that root runs', () => {
  const places = [
    'client',
    'deploy',
    'docs',
    'electron',
    'examples',
    'packaging',
    'renderer',
    'scripts',
    'shared',
  ];
  const inPlaces = [...places, '.github', ...(isBuilt() ? ['out'] : [])].flatMap((place) =>
    readdirSync(inProject(place), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const beside = readdirSync(inProject('.'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => inProject(name));
  expect(inPlaces.length).toBeGreaterThan(1000);
  const telling = [...inPlaces, ...beside].filter((file) => readFileSync(file).includes('no-sandbox'));
  expect(telling).toEqual([]);
});

describe('fuses that are read back', () => {
  /** electron/docs/tutorial/fuses.md: sentinel, version of the wire, its length, and a byte for each fuse. */
  async function program(name: string, wire: string): Promise<string> {
    const file = join(folder, name);
    const head = Buffer.from([1, wire.length]);
    await writeFile(
      file,
      Buffer.concat([Buffer.from('MZ dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'), head, Buffer.from(wire)]),
    );
    return file;
  }
  const AS_SHIPPED = Object.values(FUSES)
    .map((isOn) => (isOn ? '1' : '0'))
    .join('');

  test('are those that ship', async () => {
    expect(AS_SHIPPED).toBe('00001100');
    await expect(checkFuses(await program('whole', AS_SHIPPED))).resolves.toBeUndefined();
  });

  test.each(Object.keys(FUSES).map((name, index) => [name, index] as const))(
    'are refused with %s the other way, or removed',
    async (name, index) => {
      for (const state of [AS_SHIPPED[index] === '1' ? '0' : '1', 'r']) {
        const wire = AS_SHIPPED.slice(0, index) + state + AS_SHIPPED.slice(index + 1);
        await expect(checkFuses(await program('other', wire))).rejects.toThrow(`the fuse ${name} of `);
      }
    },
  );
});

test('the page for those who install names files of this version', () => {
  const page = readFileSync(inProject('docs/install.md'), 'utf8');
  const named = [...page.matchAll(/fieldbench(?:-service)?[-_](\d+\.\d+\.\d+)[-_.]/gi)].map(([, one]) => one);
  expect(named.length).toBeGreaterThan(10);
  expect(new Set(named)).toEqual(new Set([APP.version]));
});
