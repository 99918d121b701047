import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Row } from '#core/store/metadata/metadata-schema.ts';
import type { Fields, WritableTables } from '#core/store/metadata/metadata.ts';
import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { metadataSuite } from '../../../suites/metadata.ts';
import { budgetTests } from '../../../suites/metadata/budget.ts';
import { allOf } from '../../../suites/metadata/rows.ts';
import { addDevice, addProject, clock, filesWith, metadataFolder, namesOf } from './metadata-folder.ts';

metadataSuite('folder', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-metadata-'));
  return {
    open: () => openFolderMetadata({ directory, clock, chance: systemRandom }),
    remove: () => rm(directory, { recursive: true }),
    lasting: true,
  };
});

budgetTests('folder', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-budget-'));
  return {
    open: (budget) => openFolderMetadata({ directory, clock, chance: systemRandom, budget }),
    remove: () => rm(directory, { recursive: true }),
  };
});

const { openStore, reopened, path } = metadataFolder();

function patchFirst<Name extends 'projects' | 'devices'>(table: Name, fields: Fields<Name>) {
  return async (tables: WritableTables) => {
    const [row] = await tables.list(table);
    return tables.patch(table, row?.id ?? '', fields);
  };
}

type JsonObject = Row<'devices'>['metadata'];

function endless(): JsonObject {
  const object: JsonObject = {};
  object['self'] = object;
  return object;
}

const deep = (levels: number) => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as JsonObject;

describe('a new folder', () => {
  test('gets an account that owns everything, and files for its user alone', async () => {
    const store = await openStore(undefined, path('new'));
    const { settings, accounts } = await allOf(store);
    expect(accounts).toMatchObject([{ id: settings.default_account_id, name: 'Default' }]);
    expect(settings.installation_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(store.notes).toEqual([]);
    await store.close();
    const modes = await Promise.all(
      ['', 'metadata.json', 'metadata.last-good.json'].map(
        async (name) => (await stat(path(join('new', name)))).mode,
      ),
    );
    if (process.platform !== 'win32')
      expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
  });

  test('is read again as it was written', async () => {
    const store = await openStore();
    const id = await store.change(addDevice('Pump 1 — “Süd”'));
    await store.change(addProject('Rig'));
    const before = await allOf(store);
    await store.close();
    const again = await openStore();
    expect(await allOf(again)).toEqual(before);
    const device = await again.read((tables) => tables.get('devices', id));
    expect(device?.metadata).toEqual({ height: { metres: 2 } });
  });
});

describe('the state', () => {
  test('is there at once, frozen, and keeps what did not change', async () => {
    const store = await openStore();
    const first = await store.change(addProject('one'));
    const row = () => store.read((tables) => tables.get('projects', first));
    const before = row();
    const versions = () =>
      store.read((tables) => ({
        keys: tables.versionOf('api_keys'),
        projects: tables.versionOf('projects'),
      }));
    const was = await versions();
    await store.change(addProject('two'));
    expect(before).toMatchObject({ name: 'one' });
    expect(row()).toBe(before);
    expect(Reflect.set(before ?? {}, 'name', 'other')).toBe(false);
    const is = await versions();
    expect(is.keys).toBe(was.keys);
    expect(is.projects).not.toBe(was.projects);
  });

  test('shows a change only once it is on disk', async () => {
    const store = await openStore();
    const writing = store.change(addProject('one'));
    expect(await namesOf(store)).toEqual([]);
    await writing;
    expect(await namesOf(store)).toEqual(['one']);
    expect(await readFile(path('metadata.journal'), 'utf8')).toContain('"name":"one"');
  });
});

describe('a change', () => {
  test('joins those that wait into one line: 1,000 devices, a handful of syncs', async () => {
    let syncs = 0;
    const store = await openStore(
      filesWith((what) => {
        if (what === 'sync') syncs++;
        return null;
      }),
    );
    syncs = 0;
    const ids = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => store.change(addDevice(`device ${i}`))),
    );
    expect(syncs).toBeLessThanOrEqual(5);
    expect(new Set(ids).size).toBe(1000);
    const sequences = (await allOf(store)).devices.map(({ sequence }) => sequence);
    expect(new Set(sequences).size).toBe(1000);
    expect((await allOf(await reopened(store))).devices).toHaveLength(1000);
  });

  test('that throws is undone whole and touches no other', async () => {
    const store = await openStore();
    const results = await Promise.allSettled([
      store.change(addProject('before')),
      store.change(async (tables) => {
        await addProject('half done')(tables);
        for (const { id } of await tables.list('projects')) {
          await tables.patch('projects', id, { name: 'spoiled' });
          await tables.remove('projects', id);
        }
        throw new Error('changed its mind');
      }),
      store.change(addProject('after')),
      store.change(async (tables) => (await tables.list('projects')).map(({ name }) => name)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: new Error('changed its mind') });
    expect(results[3]).toMatchObject({ value: ['before', 'after'] });
    expect(await namesOf(store)).toEqual(['before', 'after']);
    expect(await namesOf(await reopened(store))).toEqual(['before', 'after']);
  });

  test('returns a row as it is afterwards', async () => {
    const store = await openStore();
    const id = await store.change(addDevice('sensor'));
    const device = await store.change((tables) =>
      tables.patch('devices', id, { tags: ['field', 'renamed'] }),
    );
    expect(device).toBe(await store.read((tables) => tables.get('devices', id)));
    expect(device?.tags).toEqual(['field', 'renamed']);
  });

  test('that changes nothing writes nothing', async () => {
    let writes = 0;
    const store = await openStore(
      filesWith((what) => {
        if (what === 'make') writes++;
        return null;
      }),
    );
    writes = 0;
    const { id, name } = (await allOf(store)).accounts[0]!;
    const unchanged = await store.change(async (tables) => {
      await tables.remove('devices', 'of nobody');
      return tables.patch('accounts', id, { name });
    });
    expect(unchanged).toMatchObject({ id, name });
    expect(writes).toBe(0);
  });

  test('that would not be readable at the next start is refused', async () => {
    const store = await openStore();
    const id = await store.change(addProject('one'));
    const spoil = store.change((tables) => tables.patch('projects', id, { created: Number.NaN }));
    await expect(spoil).rejects.toThrow(/projects\.created/);
    expect((await allOf(store)).projects).toMatchObject([{ id, created: clock.now() }]);
    expect(await namesOf(await reopened(store))).toEqual(['one']);
  });

  const bad: [string, (tables: WritableTables) => unknown, RegExp][] = [
    ['a time that is none', patchFirst('projects', { created: Number.NaN }), /created/],
    ['a number that is not exact', patchFirst('projects', { created: 2 ** 60 }), /created/],
    ['a field of another type', patchFirst('projects', { name: 7 as never }), /name/],
    [
      'a number that JSON lacks',
      patchFirst('devices', { metadata: { a: [Number.POSITIVE_INFINITY] } }),
      /metadata/,
    ],
    ['what holds itself', patchFirst('devices', { metadata: endless() }), /metadata/],
    ['what is too deep', patchFirst('devices', { metadata: deep(100_000) }), /too deep/],
    ['no shape', (tables) => tables.noteDeletion({} as never), /deletions/],
  ];
  test.each(bad)(
    'with %s is refused alone: ten others that wait with it are kept',
    async (_, spoil, words) => {
      const store = await openStore();
      await store.change(addProject('old'));
      await store.change(addDevice('old'));
      const before = await allOf(store);
      const some = (from: number) =>
        Array.from({ length: 5 }, (__, n) => store.change(addProject(`good ${from + n}`)));
      const first = some(0);
      const refused = store.change(async (tables) => {
        await addProject('half done')(tables);
        return spoil(tables);
      });
      const rest = some(5);
      await expect(refused).rejects.toThrow(words);
      await Promise.all([...first, ...rest]);
      const expected = ['old', ...Array.from({ length: 10 }, (__, n) => `good ${n}`)];
      expect(await namesOf(store)).toEqual(expected);
      expect((await allOf(store)).devices).toEqual(before.devices);
      const again = await reopened(store);
      expect(await namesOf(again)).toEqual(expected);
      expect(again.notes).toEqual([]);
    },
  );

  test('that threw beside one that cannot be written is refused once and for all', async () => {
    const store = await openStore();
    let tries = 0;
    const fickle = store.change(async (tables) => {
      if (tries++ > 0) await addProject('told that it was not made')(tables);
      throw new Error('changed its mind');
    });
    const spoil = store.change((tables) => tables.noteDeletion({} as never));
    const good = store.change(addProject('good'));
    await expect(fickle).rejects.toThrow('changed its mind');
    await expect(spoil).rejects.toThrow('deletions');
    await good;
    expect(await namesOf(store)).toEqual(['good']);
  });

  test('is finished by close, after which there are no more', async () => {
    const store = await openStore();
    const last = store.change(addProject('last'));
    await store.close();
    await last;
    await expect(store.change(addProject('late'))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'closed',
    });
    expect(await namesOf(await openStore())).toEqual(['last']);
  });
});

describe('with 10,000 devices', () => {
  test('all are written together and read again', async () => {
    const store = await openStore();
    await Promise.all(Array.from({ length: 10_000 }, (_, i) => store.change(addDevice(`device ${i}`))));
    const id = await store.change(addDevice('one more'));
    const again = await reopened(store);
    expect(await again.read((tables) => tables.count('devices'))).toBe(10_001);
    expect(await again.read((tables) => tables.get('devices', id))).toMatchObject({ name: 'one more' });
  });
});
