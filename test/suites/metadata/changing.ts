import { expect, test } from 'vitest';
import { notFound } from '#core/base/errors.ts';
import type { WritableTables } from '#core/store/metadata/metadata.ts';
import { aDevice, allOf, aProject, hashOf } from './rows.ts';
import { idsOf, type MetadataHarness } from './harness.ts';

const inOtherTurns = () => new Promise((resolve) => setTimeout(resolve, 5));

/** What changes of the metadata do, and what they leave alone. */
export function changingTests(harness: MetadataHarness): void {
  test('a change sees what it did itself, and nobody else does before it is done', async () => {
    await harness.build();
    const half = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    const changing = harness.metadata.change(async (tables) => {
      await tables.insert('devices', aDevice('new', 'p', 7));
      await tables.remove('devices', 'p1');
      await tables.patch('devices', 'p2', { token_hash: hashOf(8) });
      half.resolve();
      await looked.promise;
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
    const look = async () => harness.metadata.read(async (tables) => idsOf(await tables.list('devices')));
    const outside = await look().finally(looked.resolve);
    expect(outside).toEqual(['p2', 'q1', 'p1']);
    const expected = { listed: ['p2', 'new'], count: 3, gone: null, byHash: 'p2', before: null };
    expect(await changing).toEqual(expected);
    expect(idsOf((await allOf(harness.metadata)).devices)).toEqual(['p2', 'q1', 'new']);
  });

  test('a change that is refused leaves nothing behind, and those beside it are none the worse', async () => {
    await harness.build();
    const before = await allOf(harness.metadata);
    const refusal = notFound('Device');
    const rename = (id: string) =>
      harness.metadata.change((tables) => tables.patch('devices', id, { name: `${id} renamed` }));
    const spoil = async (tables: WritableTables) => {
      await tables.insert('devices', aDevice('half done', 'p', 5));
      for (const { id } of await tables.list('devices'))
        await tables.patch('devices', id, { name: 'spoiled' });
      await tables.remove('functions', 'f');
      await tables.noteDeletion({ kind: 'device', project_id: 'p', device_ids: ['p1'] });
      throw refusal;
    };
    const results = await Promise.allSettled([rename('p1'), harness.metadata.change(spoil), rename('p2')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toHaveProperty('reason', refusal);
    await harness.reopen();
    const names = { p1: 'p1 renamed', p2: 'p2 renamed', q1: 'q1' };
    const devices = before.devices.map((row) => ({ ...row, name: names[row.id as keyof typeof names] }));
    expect(await allOf(harness.metadata)).toEqual({ ...before, devices });
  });

  test('changes that come together are made one after the other', async () => {
    await harness.build();
    const count = () =>
      harness.metadata.change(async (tables) => {
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
    await harness.build();
    const take = () => harness.metadata.change((tables) => tables.remove('devices', 'p1'));
    expect((await Promise.all([take(), take()])).toSorted()).toEqual([false, true]);
  });

  test('a patch changes what it names, and nothing where there is no row', async () => {
    await harness.build();
    const before = (await allOf(harness.metadata)).functions.find(({ id }) => id === 'f');
    const patched = await harness.metadata.change((tables) =>
      tables.patch('functions', 'f', {
        name: 'renamed',
        type: undefined,
        script: null,
        condition: { a: [1] },
      }),
    );
    const expected = { ...before, name: 'renamed', script: null, condition: { a: [1] } };
    expect(patched).toEqual(expected);
    await harness.reopen();
    expect(await harness.metadata.read((tables) => tables.get('functions', 'f'))).toEqual(expected);
    expect(
      await harness.metadata.change((tables) => tables.patch('functions', 'nobody', { name: 'x' })),
    ).toBeNull();
  });

  test('an id is taken once', async () => {
    await harness.build();
    const twice = harness.metadata.change(async (tables) => {
      await tables.patch('projects', 'q', { name: 'spoiled' });
      await tables.insert('projects', aProject('p'));
    });
    await expect(twice).rejects.toThrow(TypeError);
    expect((await allOf(harness.metadata)).projects.map(({ name: each }) => each)).toEqual(['p', 'q']);
  });

  test('each row made gets a later place than those before it', async () => {
    const make = (n: number) =>
      harness.metadata.change((tables) => tables.insert('projects', aProject(`p${n}`)));
    const early = await Promise.all([1, 2, 3].map(make));
    await harness.reopen();
    const last = await make(4);
    const sequences = [...early, last].map(({ sequence }) => sequence);
    expect(new Set(sequences).size).toBe(4);
    expect(last.sequence).toBe(Math.max(...sequences));
  });

  test('a row that was given or handed out is nobody’s to change', async () => {
    const given = aDevice('d', 'p');
    const made = await harness.metadata.change((tables) => tables.insert('devices', given));
    const read = await harness.metadata.read((tables) => tables.get('devices', 'd'));
    const before = await allOf(harness.metadata);
    for (const row of [given, made, read]) {
      Reflect.set(row ?? {}, 'name', 'changed');
      Reflect.set(row?.tags ?? [], 0, 'changed');
      Reflect.set(row?.metadata ?? {}, 'height', 'changed');
    }
    expect(await allOf(harness.metadata)).toEqual(before);
  });

  test('deletes that were noted are there until they are crossed out', async () => {
    const device = { kind: 'device', project_id: 'p', device_ids: ['p1'] } as const;
    const project = { kind: 'project', project_id: 'p', device_ids: ['p1', 'p2'] } as const;
    const empty = { kind: 'project', project_id: 'q', device_ids: [] } as const;
    const note = (each: typeof device | typeof project | typeof empty) =>
      harness.metadata.change((tables) => tables.noteDeletion(each));
    for (const each of [device, project, empty]) await note(each);
    await harness.reopen();
    expect((await allOf(harness.metadata)).deletions).toEqual([device, project, empty]);
    await harness.metadata.change(async (tables) => {
      await tables.crossOutDeletion(project);
      await tables.crossOutDeletion(empty);
      expect(await tables.deletions()).toEqual([device]);
    });
    await harness.reopen();
    expect((await allOf(harness.metadata)).deletions).toEqual([device]);
  });

  test('close finishes what was begun, after which there are no more changes', async () => {
    const last = harness.metadata.change((tables) => tables.insert('projects', aProject('last')));
    await harness.metadata.close();
    await last;
    const late = harness.metadata.change((tables) => tables.insert('projects', aProject('late')));
    await expect(late).rejects.toMatchObject({ name: 'StoreError', code: 'closed' });
    await harness.reopen();
    expect(idsOf((await allOf(harness.metadata)).projects)).toEqual(['last']);
  });
}
