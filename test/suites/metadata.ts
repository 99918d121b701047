import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { notFound } from '#core/errors.ts';
import type { Metadata, WritableTables } from '#core/store/metadata/metadata.ts';
import { metadataModel } from './metadata-model.ts';
import {
  aDevice,
  aFunction,
  aKey,
  allOf,
  aProject,
  aWidget,
  hashOf,
  type MetadataHome,
} from './metadata-rows.ts';

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const inOtherTurns = () => new Promise((resolve) => setTimeout(resolve, 5));

/** What every Metadata must do; `home` makes a place of its own for each test. */
export function metadataSuite(name: string, home: () => Promise<MetadataHome>): void {
  describe(`${name}: the rules of metadata`, () => {
    let place: MetadataHome;
    let metadata: Metadata;

    beforeEach(async () => {
      place = await home();
      metadata = await place.open();
    });

    afterEach(async () => {
      await metadata.close();
      await place.remove();
    });

    async function reopen(): Promise<void> {
      if (!place.lasting) return;
      await metadata.close();
      metadata = await place.open();
    }

    /** Two projects, three devices, and what hangs on them. */
    const build = () =>
      metadata.change(async (tables) => {
        await tables.insert('projects', aProject('p', 'a'));
        await tables.insert('projects', aProject('q', 'b'));
        await tables.insert('devices', aDevice('p2', 'p', 2));
        await tables.insert('devices', aDevice('q1', 'q', 3));
        await tables.insert('devices', aDevice('p1', 'p', 1));
        await tables.insert('api_keys', aKey('service', 'a', 0));
        await tables.insert('api_keys', aKey('user', 'a', 1));
        await tables.insert('api_keys', aKey('other', 'b', 2));
        await tables.insert('functions', aFunction('f', 'p', 'p1'));
        await tables.insert('functions', aFunction('g', 'p', 'p2'));
        await tables.insert('widgets', aWidget('both', 'p', ['p1', 'p2', 'p1']));
        await tables.insert('widgets', aWidget('none', 'p', []));
        await tables.insert('widgets', aWidget('one', 'p', ['p2']));
      });

    test('a new one has an account that owns everything, and nothing else', async () => {
      const { settings, accounts, ...rest } = await allOf(metadata);
      expect(accounts).toMatchObject([{ id: settings.default_account_id, name: 'Default' }]);
      expect(settings.installation_id).toMatch(/^[0-9a-f-]{36}$/);
      for (const rows of Object.values(rest)) expect(rows).toEqual([]);
      await reopen();
      expect(await allOf(metadata)).toMatchObject({ settings, accounts });
    });

    test('rows are found by id, which may be any text', async () => {
      await build();
      await reopen();
      for (const id of ['', 'nobody', '__proto__', 'constructor', 'toString', 'p\0'])
        expect(await metadata.read((tables) => tables.get('projects', id)), id).toBeNull();
      const [device, stranger] = await metadata.read(async (tables) => [
        await tables.get('devices', 'p1'),
        await tables.get('projects', 'p1'),
      ]);
      expect(device).toMatchObject(aDevice('p1', 'p', 1));
      expect(stranger).toBeNull();
    });

    test('rows are listed in the order in which they were made, by what they have', async () => {
      await build();
      await reopen();
      const lists = await metadata.read(async (tables) => ({
        all: idsOf(await tables.list('devices')),
        ofProject: idsOf(await tables.list('devices', { project_id: 'p' })),
        ofNone: idsOf(await tables.list('devices', { project_id: 'nobody' })),
        ofAccount: idsOf(await tables.list('projects', { account_id: 'b' })),
        keys: idsOf(await tables.list('api_keys', { account_id: 'a' })),
        services: idsOf(await tables.list('api_keys', { account_id: 'a', role: 'service' })),
        functions: idsOf(await tables.list('functions', { project_id: 'p', device_id: 'p2' })),
        elsewhere: idsOf(await tables.list('functions', { project_id: 'q', device_id: 'p2' })),
        widgets: idsOf(await tables.list('widgets', { device_id: 'p2' })),
        counts: [
          await tables.count('devices'),
          await tables.count('devices', { project_id: 'p' }),
          await tables.count('widgets', { device_id: 'p1' }),
          await tables.count('accounts', {}),
        ],
      }));
      expect(lists).toEqual({
        all: ['p2', 'q1', 'p1'],
        ofProject: ['p2', 'p1'],
        ofNone: [],
        ofAccount: ['q'],
        keys: ['service', 'user'],
        services: ['service'],
        functions: ['g'],
        elsewhere: [],
        widgets: ['both', 'one'],
        counts: [3, 2, 1, 1],
      });
    });

    test('keys and devices are found by their hash as it is now', async () => {
      await build();
      await metadata.change((tables) => tables.patch('devices', 'p1', { token_hash: hashOf(9) }));
      await metadata.change((tables) => tables.remove('api_keys', 'other'));
      await reopen();
      const found = await metadata.read(async (tables) => [
        (await tables.keyByHash(hashOf(1)))?.id,
        (await tables.keyByHash(hashOf(2)))?.id,
        (await tables.deviceByTokenHash(hashOf(9)))?.id,
        (await tables.deviceByTokenHash(hashOf(1)))?.id,
      ]);
      expect(found).toEqual(['user', undefined, 'p1', undefined]);
    });

    test('a read is of one moment, however long it takes', async () => {
      await build();
      const begun = Promise.withResolvers<void>();
      const reading = metadata.read(async (tables) => {
        const look = async () => ({
          count: await tables.count('devices'),
          listed: (await tables.list('devices', { project_id: 'p' })).map(({ id, name: each }) => [id, each]),
          name: (await tables.get('devices', 'p1'))?.name,
          byHash: [
            (await tables.deviceByTokenHash(hashOf(2)))?.id,
            (await tables.deviceByTokenHash(hashOf(8)))?.id,
            (await tables.deviceByTokenHash(hashOf(9)))?.id,
          ],
          deletions: await tables.deletions(),
        });
        const before = await look();
        begun.resolve();
        await inOtherTurns();
        return { before, after: await look() };
      });
      await begun.promise;
      await metadata.change(async (tables) => {
        await tables.remove('devices', 'p2');
        await tables.patch('devices', 'p1', { name: 'renamed', token_hash: hashOf(9) });
        await tables.insert('devices', aDevice('p3', 'p', 8));
        await tables.noteDeletion({ kind: 'device', project_id: 'p', device_ids: ['p2'] });
      });
      await metadata.change((tables) => tables.remove('devices', 'p3'));
      const { before, after } = await reading;
      expect(before).toEqual({
        count: 3,
        listed: [
          ['p2', 'p2'],
          ['p1', 'p1'],
        ],
        name: 'p1',
        byHash: ['p2', undefined, undefined],
        deletions: [],
      });
      expect(after).toEqual(before);
      expect(await metadata.read((tables) => tables.count('devices'))).toBe(2);
    });

    test('a change sees what it did itself, and nobody else does before it is done', async () => {
      await build();
      const half = Promise.withResolvers<void>();
      const changing = metadata.change(async (tables) => {
        await tables.insert('devices', aDevice('new', 'p', 7));
        await tables.remove('devices', 'p1');
        await tables.patch('devices', 'p2', { token_hash: hashOf(8) });
        half.resolve();
        await inOtherTurns();
        return {
          listed: idsOf(await tables.list('devices', { project_id: 'p' })),
          count: await tables.count('devices'),
          gone: await tables.get('devices', 'p1'),
          byHash: (await tables.deviceByTokenHash(hashOf(8)))?.id,
          before: await tables.deviceByTokenHash(hashOf(2)),
        };
      });
      await half.promise;
      const outside = await metadata.read(async (tables) => idsOf(await tables.list('devices')));
      expect(outside).toEqual(['p2', 'q1', 'p1']);
      const expected = { listed: ['p2', 'new'], count: 3, gone: null, byHash: 'p2', before: null };
      expect(await changing).toEqual(expected);
      expect(idsOf((await allOf(metadata)).devices)).toEqual(['p2', 'q1', 'new']);
    });

    test('a change that is refused leaves nothing behind, and those beside it are none the worse', async () => {
      await build();
      const before = await allOf(metadata);
      const refusal = notFound('Device');
      const rename = (id: string) =>
        metadata.change((tables) => tables.patch('devices', id, { name: `${id} renamed` }));
      const spoil = async (tables: WritableTables) => {
        await tables.insert('devices', aDevice('half done', 'p', 5));
        for (const { id } of await tables.list('devices'))
          await tables.patch('devices', id, { name: 'spoiled' });
        await tables.remove('functions', 'f');
        await tables.noteDeletion({ kind: 'device', project_id: 'p', device_ids: ['p1'] });
        throw refusal;
      };
      const results = await Promise.allSettled([rename('p1'), metadata.change(spoil), rename('p2')]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(results[1]).toHaveProperty('reason', refusal);
      await reopen();
      const names = { p1: 'p1 renamed', p2: 'p2 renamed', q1: 'q1' };
      const devices = before.devices.map((row) => ({ ...row, name: names[row.id as keyof typeof names] }));
      expect(await allOf(metadata)).toEqual({ ...before, devices });
    });

    test('changes that come together are made one after the other', async () => {
      await build();
      const count = () =>
        metadata.change(async (tables) => {
          const row = await tables.get('projects', 'p');
          await inOtherTurns();
          const description = String(Number(row?.description ?? 0) + 1);
          await tables.patch('projects', 'p', { description });
          return description;
        });
      const counted = await Promise.all(Array.from({ length: 10 }, count));
      expect(counted.toSorted((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 10 }, (_, n) => String(n + 1)),
      );
    });

    test('of two that take away the same thing, one is told that it is not there', async () => {
      await build();
      const take = () => metadata.change((tables) => tables.remove('devices', 'p1'));
      expect((await Promise.all([take(), take()])).toSorted()).toEqual([false, true]);
    });

    test('a patch changes what it names, and nothing where there is no row', async () => {
      await build();
      const before = (await allOf(metadata)).functions.find(({ id }) => id === 'f');
      const patched = await metadata.change((tables) =>
        tables.patch('functions', 'f', {
          name: 'renamed',
          type: undefined,
          script: null,
          condition: { a: [1] },
        }),
      );
      const expected = { ...before, name: 'renamed', script: null, condition: { a: [1] } };
      expect(patched).toEqual(expected);
      await reopen();
      expect(await metadata.read((tables) => tables.get('functions', 'f'))).toEqual(expected);
      expect(
        await metadata.change((tables) => tables.patch('functions', 'nobody', { name: 'x' })),
      ).toBeNull();
    });

    test('an id is taken once', async () => {
      await build();
      const twice = metadata.change(async (tables) => {
        await tables.patch('projects', 'q', { name: 'spoiled' });
        await tables.insert('projects', aProject('p'));
      });
      await expect(twice).rejects.toThrow(TypeError);
      expect((await allOf(metadata)).projects.map(({ name: each }) => each)).toEqual(['p', 'q']);
    });

    test('each row made gets a later place than those before it', async () => {
      const make = (n: number) => metadata.change((tables) => tables.insert('projects', aProject(`p${n}`)));
      const early = await Promise.all([1, 2, 3].map(make));
      await reopen();
      const last = await make(4);
      const sequences = [...early, last].map(({ sequence }) => sequence);
      expect(new Set(sequences).size).toBe(4);
      expect(last.sequence).toBe(Math.max(...sequences));
    });

    test('a row that was given or handed out is nobody’s to change', async () => {
      const given = aDevice('d', 'p');
      const made = await metadata.change((tables) => tables.insert('devices', given));
      const read = await metadata.read((tables) => tables.get('devices', 'd'));
      const before = await allOf(metadata);
      for (const row of [given, made, read]) {
        Reflect.set(row ?? {}, 'name', 'changed');
        Reflect.set(row?.tags ?? [], 0, 'changed');
        Reflect.set(row?.metadata ?? {}, 'height', 'changed');
      }
      expect(await allOf(metadata)).toEqual(before);
    });

    test('deletes that were noted are there until they are crossed out', async () => {
      const device = { kind: 'device', project_id: 'p', device_ids: ['p1'] } as const;
      const project = { kind: 'project', project_id: 'p', device_ids: ['p1', 'p2'] } as const;
      const empty = { kind: 'project', project_id: 'q', device_ids: [] } as const;
      const note = (each: typeof device | typeof project | typeof empty) =>
        metadata.change((tables) => tables.noteDeletion(each));
      for (const each of [device, project, empty]) await note(each);
      await reopen();
      expect((await allOf(metadata)).deletions).toEqual([device, project, empty]);
      await metadata.change(async (tables) => {
        await tables.crossOutDeletion(project);
        await tables.crossOutDeletion(empty);
        expect(await tables.deletions()).toEqual([device]);
      });
      await reopen();
      expect((await allOf(metadata)).deletions).toEqual([device]);
    });

    test('what a look throws comes back', async () => {
      const refusal = notFound('Project');
      const looking = async () =>
        metadata.read(() => {
          throw refusal;
        });
      await expect(looking()).rejects.toBe(refusal);
      const waiting = async () => metadata.read(() => Promise.reject(refusal));
      await expect(waiting()).rejects.toBe(refusal);
    });

    test('a version stands for a table as long as nothing in it changes', async () => {
      await build();
      const versions = () =>
        metadata.read((tables) => [tables.versionOf('devices'), tables.versionOf('api_keys')]);
      const [devices, keys] = await versions();
      expect(await versions()).toEqual([devices, keys]);
      await metadata.change((tables) => tables.remove('devices', 'p1'));
      const [after, keysAfter] = await versions();
      if (devices) expect(after).not.toBe(devices);
      if (keysAfter) expect(keysAfter).toBe(keys);
      await metadata.change((tables) => expect(tables.versionOf('devices')).toBeNull());
    });

    test('close finishes what was begun, after which there are no more changes', async () => {
      const last = metadata.change((tables) => tables.insert('projects', aProject('last')));
      await metadata.close();
      await last;
      const late = metadata.change((tables) => tables.insert('projects', aProject('late')));
      await expect(late).rejects.toMatchObject({ name: 'StoreError', code: 'closed' });
      await reopen();
      expect(idsOf((await allOf(metadata)).projects)).toEqual(['last']);
    });
  });

  metadataModel(name, home);
}
