import { expect, test } from 'vitest';
import { notFound } from '#core/base/errors.ts';
import { aDevice, allOf, hashOf } from './rows.ts';
import { idsOf, type MetadataHarness } from './harness.ts';

const inOtherTurns = () => new Promise((resolve) => setTimeout(resolve, 5));

/** What a look at the metadata shows. */
export function readingTests(harness: MetadataHarness): void {
  test('a new one has an account that owns everything, and nothing else', async () => {
    const { settings, accounts, ...rest } = await allOf(harness.metadata);
    expect(accounts).toMatchObject([{ id: settings.default_account_id, name: 'Default' }]);
    expect(settings.installation_id).toMatch(/^[0-9a-f-]{36}$/);
    for (const rows of Object.values(rest)) expect(rows).toEqual([]);
    await harness.reopen();
    expect(await allOf(harness.metadata)).toMatchObject({ settings, accounts });
  });

  test('rows are found by id, which may be any text', async () => {
    await harness.build();
    await harness.reopen();
    for (const id of ['', 'nobody', '__proto__', 'constructor', 'toString', 'p\0'])
      expect(await harness.metadata.read((tables) => tables.get('projects', id)), id).toBeNull();
    const [device, stranger] = await harness.metadata.read(async (tables) => [
      await tables.get('devices', 'p1'),
      await tables.get('projects', 'p1'),
    ]);
    expect(device).toMatchObject(aDevice('p1', 'p', 1));
    expect(stranger).toBeNull();
  });

  test('rows are listed in the order in which they were made, by what they have', async () => {
    await harness.build();
    await harness.reopen();
    const lists = await harness.metadata.read(async (tables) => ({
      all: idsOf(await tables.list('devices')),
      ofProject: idsOf(await tables.list('devices', { project_id: 'p' })),
      ofNone: idsOf(await tables.list('devices', { project_id: 'nobody' })),
      ofAccount: idsOf(await tables.list('projects', { account_id: 'b' })),
      keys: idsOf(await tables.list('api_keys', { account_id: 'a' })),
      services: idsOf(await tables.list('api_keys', { account_id: 'a', role: 'service' })),
      functions: idsOf(await tables.list('functions', { project_id: 'p', device_id: 'p2' })),
      elsewhere: idsOf(await tables.list('functions', { project_id: 'q', device_id: 'p2' })),
      ofProjectAlone: idsOf(await tables.list('functions', { project_id: 'p' })),
      alarms: idsOf(await tables.list('alarms', { function_id: 'tagged' })),
      alarmsOfBoth: idsOf(await tables.list('alarms', { function_id: 'tagged', device_id: 'p2' })),
      alarmsOfDevice: idsOf(await tables.list('alarms', { project_id: 'p', device_id: 'p2' })),
      widgets: idsOf(await tables.list('widgets', { device_id: 'p2' })),
      counts: [
        await tables.count('devices'),
        await tables.count('devices', { project_id: 'p' }),
        await tables.count('widgets', { device_id: 'p1' }),
        await tables.count('alarms', { function_id: 'tagged', project_id: 'p' }),
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
      ofProjectAlone: ['f', 'g', 'tagged'],
      alarms: ['x', 'y'],
      alarmsOfBoth: ['y'],
      alarmsOfDevice: ['y', 'z'],
      widgets: ['both', 'one'],
      counts: [3, 2, 1, 2, 1],
    });
  });

  test('keys and devices are found by their hash as it is now', async () => {
    await harness.build();
    await harness.metadata.change((tables) => tables.patch('devices', 'p1', { token_hash: hashOf(9) }));
    await harness.metadata.change((tables) => tables.remove('api_keys', 'other'));
    await harness.reopen();
    const found = await harness.metadata.read(async (tables) => [
      (await tables.keyByHash(hashOf(1)))?.id,
      (await tables.keyByHash(hashOf(2)))?.id,
      (await tables.deviceByTokenHash(hashOf(9)))?.id,
      (await tables.deviceByTokenHash(hashOf(1)))?.id,
    ]);
    expect(found).toEqual(['user', undefined, 'p1', undefined]);
  });

  test('a read is of one moment, however long it takes', async () => {
    await harness.build();
    const begun = Promise.withResolvers<void>();
    const reading = harness.metadata.read(async (tables) => {
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
    await harness.metadata.change(async (tables) => {
      await tables.remove('devices', 'p2');
      await tables.patch('devices', 'p1', { name: 'renamed', token_hash: hashOf(9) });
      await tables.insert('devices', aDevice('p3', 'p', 8));
      await tables.noteDeletion({ kind: 'device', project_id: 'p', device_ids: ['p2'] });
    });
    await harness.metadata.change((tables) => tables.remove('devices', 'p3'));
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
    expect(await harness.metadata.read((tables) => tables.count('devices'))).toBe(2);
  });

  test('what a look throws comes back', async () => {
    const refusal = notFound('Project');
    const looking = async () =>
      harness.metadata.read(() => {
        throw refusal;
      });
    await expect(looking()).rejects.toBe(refusal);
    const waiting = async () => harness.metadata.read(() => Promise.reject(refusal));
    await expect(waiting()).rejects.toBe(refusal);
  });

  test('a version stands for a table as long as nothing in it changes', async () => {
    await harness.build();
    const versions = () =>
      harness.metadata.read((tables) => [tables.versionOf('devices'), tables.versionOf('api_keys')]);
    const [devices, keys] = await versions();
    expect(await versions()).toEqual([devices, keys]);
    await harness.metadata.change((tables) => tables.remove('devices', 'p1'));
    const [after, keysAfter] = await versions();
    if (devices) expect(after).not.toBe(devices);
    if (keysAfter) expect(keysAfter).toBe(keys);
    await harness.metadata.change((tables) => expect(tables.versionOf('devices')).toBeNull());
  });
}
