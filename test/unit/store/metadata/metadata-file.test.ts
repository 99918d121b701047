import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Attempt, Fault } from '../../../faults/failing-files.ts';
import { allOf } from '../../../suites/metadata/rows.ts';
import { SCHEMA_VERSION } from '#core/store/metadata/metadata-schema.ts';
import { addProject, filesWith, metadataFolder, namesOf } from './metadata-folder.ts';

const { openStore, reopened, path: pathOf, contents } = metadataFolder();

describe('a write that fails', () => {
  test.each<[string, 'first' | 'later', Attempt, Fault]>([
    ['of the first change at its making', 'first', 'make', 'EIO'],
    ['of the first change half-way', 'first', 'grow', 'short'],
    ['of the first change at the sync', 'first', 'sync', 'EIO'],
    ['of the first change at the rename', 'first', 'rename', 'EIO'],
    ['of the first change at the sync of its name', 'first', 'sync-folder', 'EIO'],
    ['of a later change half-way', 'later', 'grow', 'short'],
    ['of a later change at the sync', 'later', 'sync', 'EIO'],
  ])('%s leaves metadata.json whole and the state as it was', async (_, which, step, fault) => {
    let failing = false;
    const store = await openStore(filesWith((what) => (failing && what === step ? fault : null)));
    if (which === 'later') await store.change(addProject('kept'));
    const before = await allOf(store);
    const bytes = await readFile(pathOf('metadata.json'));
    failing = true;
    const joined = await Promise.allSettled([store.change(addProject('a')), store.change(addProject('b'))]);
    for (const result of joined)
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'StoreError' } });
    expect(await allOf(store)).toEqual(before);
    if (step !== 'sync-folder') expect(await readFile(pathOf('metadata.json'))).toEqual(bytes);
    failing = false;
    await store.change(addProject('next'));
    const expected = which === 'later' ? ['kept', 'next'] : ['next'];
    expect(await namesOf(await reopened(store))).toEqual(expected);
  });

  const full = 'The disk is full: nothing was changed. Free some space and try again.';
  const readOnly =
    'The data folder is read-only: nothing was changed. Give its user the right to write to it and try again.';
  test.each<[Fault, string, string]>([
    ['ENOSPC', 'disk-full', full],
    ['EDQUOT', 'disk-full', full],
    ['EROFS', 'read-only', readOnly],
    ['EACCES', 'read-only', readOnly],
    ['EIO', 'io', 'The disk failed to write: the change may be lost. Check the disk.'],
  ])('with %s says %s, and no path', async (code, expected, message) => {
    let failing = false;
    const store = await openStore(filesWith((what) => (failing && what === 'grow' ? code : null)));
    failing = true;
    const refused: unknown = await store.change(addProject('x')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'StoreError', code: expected, message });
    expect(String(refused)).not.toContain(pathOf());
    failing = false;
  });

  test('of the copy alone is noted, and made good by the next', async () => {
    let failing = true;
    const store = await openStore(
      filesWith((what, path) => (failing && what === 'grow' && path.includes('last-good') ? 'EIO' : null)),
    );
    await store.change(addProject('one'));
    await store.close();
    expect(store.notes.join()).toContain('metadata.last-good.json could not be brought up to date');
    failing = false;
    const again = await openStore();
    await again.close();
    expect(await readFile(pathOf('metadata.last-good.json'), 'utf8')).toContain('"name":"one"');
  });
});

/** Leaves a folder with one project, closed; resolves with what it holds. */
async function prepare() {
  const store = await openStore();
  await store.change(addProject('Rig'));
  await store.close();
  return allOf(store);
}

describe('at the next start', () => {
  const damages: [string, (text: string) => string][] = [
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['zeros, as some disks leave after a power cut', (text) => '\0'.repeat(text.length)],
    ['JSON of another shape', (text) => text.replace('"created":', '"created":"soon","was":')],
    ['a list', () => '[]'],
    ['without its tables', () => '{"version":1}'],
  ];

  test.each(damages)('a file that is %s gives way to its copy and is kept aside', async (_, damage) => {
    const before = await prepare();
    const bad = damage(await readFile(pathOf('metadata.json'), 'utf8'));
    await writeFile(pathOf('metadata.json'), bad);
    const store = await openStore();
    expect(await allOf(store)).toEqual(before);
    expect(store.notes).toHaveLength(1);
    const aside = 'metadata.damaged-2026-03-02T20-30-21.202946Z.json';
    expect(store.notes[0]).toContain(aside);
    expect((await contents())[aside]).toBe(bad);
    const again = await reopened(store);
    expect(again.notes).toEqual([]);
    expect(await allOf(again)).toEqual(before);
  });

  test('a missing file is restored from its copy', async () => {
    const before = await prepare();
    await rm(pathOf('metadata.json'));
    const store = await openStore();
    expect(await allOf(store)).toEqual(before);
    expect(store.notes.join()).toContain('metadata.json was missing');
  });

  test('a damaged copy is made again without a word: nothing was lost', async () => {
    const before = await prepare();
    await writeFile(pathOf('metadata.last-good.json'), 'noise');
    const store = await openStore();
    expect(await allOf(store)).toEqual(before);
    await store.close();
    expect(store.notes).toEqual([]);
    expect(await readFile(pathOf('metadata.last-good.json'), 'utf8')).toBe(
      await readFile(pathOf('metadata.json'), 'utf8'),
    );
  });

  test('with both damaged, both are named and nothing is touched', async () => {
    await prepare();
    await writeFile(pathOf('metadata.json'), '{');
    await writeFile(pathOf('metadata.last-good.json'), 'noise');
    const before = await contents();
    const failed: unknown = await openStore().catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'StartError', code: 'metadata-damaged' });
    expect(String(failed)).toContain(pathOf('metadata.json'));
    expect(String(failed)).toContain(pathOf('metadata.last-good.json'));
    expect(await contents()).toEqual(before);
  });

  test.each(['metadata.json', 'metadata.last-good.json'])(
    'a newer %s is refused and not touched',
    async (name) => {
      await prepare();
      await writeFile(pathOf('metadata.json'), 'noise');
      await writeFile(pathOf(name), `{"version":${SCHEMA_VERSION + 1},"unknown":true}`);
      const before = await contents();
      const failed: unknown = await openStore().catch((error: unknown) => error);
      expect(failed).toMatchObject({ name: 'StartError', code: 'metadata-newer' });
      expect(String(failed)).toMatch(
        new RegExp(`${name} .*format ${SCHEMA_VERSION + 1}.*up to ${SCHEMA_VERSION}`),
      );
      expect(await contents()).toEqual(before);
    },
  );

  test('what an unfinished write left is removed, and noted', async () => {
    const before = await prepare();
    await writeFile(pathOf('metadata.json.tmp'), 'half a fi');
    const store = await openStore();
    expect(await allOf(store)).toEqual(before);
    expect(store.notes.join()).toContain('metadata.json.tmp');
    expect(await readdir(pathOf())).not.toContain('metadata.json.tmp');
  });

  test.each<[string, Fault]>([
    ['read-only', 'EROFS'],
    ['disk-full', 'ENOSPC'],
  ])('a new folder on a disk that is %s is refused by name', async (code, systemCode) => {
    const folder = pathOf('new');
    const failed: unknown = await openStore(
      filesWith((what) => (what === 'grow' ? systemCode : null)),
      folder,
    ).catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'StartError', code });
    expect(String(failed)).toContain(folder);
  });

  test('a file of another user is not taken for damage', async () => {
    await prepare();
    const failed: unknown = await openStore(filesWith((what) => (what === 'open' ? 'EACCES' : null))).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ name: 'StartError', code: 'read-only' });
    expect(String(failed)).toContain(pathOf('metadata.json'));
  });
});
