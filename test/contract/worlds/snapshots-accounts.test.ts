import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SNAPSHOTS_FOLDER } from '#core/store/log/device/saved/saved-files.ts';
import { RECORDS_FOLDER } from '#core/store/records-folder.ts';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { dataOf } from '../world.ts';
import {
  ask,
  names,
  restore,
  save,
  service,
  SNAPSHOTS,
  world,
  worldOfSnapshots,
} from './world-of-snapshots.ts';
import { worldText } from './world-text.ts';

/* Whose snapshots are whose (docs/rigs.md, "Snapshots"). */

worldOfSnapshots();

test.skipIf(inDatabase)(
  'worlds neither see nor touch the snapshots of each other, and an administrator those of all',
  async () => {
    const strangers = world.strangers_key;
    const mine = await worldText(service);
    expect((await save('mine', strangers)).envelope.data).toMatchObject({
      projects: 0,
      devices: 0,
      records: 0,
    });
    expect([await names(), await names(strangers)]).toEqual([['baseline'], ['mine']]);
    for (const { status, envelope } of [
      await restore('baseline', strangers),
      await ask('DELETE', `${SNAPSHOTS}/baseline`, undefined, strangers),
    ])
      expect([status, envelope.message]).toEqual([404, 'Snapshot not found.']);
    const elsewhere = { account_id: service.service.account_id };
    expect((await ask('POST', SNAPSHOTS, { name: 'x', ...elsewhere }, strangers)).status).toBe(403);
    await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Theirs' }).then(() => null);
    await restore('baseline');
    expect((await restore('mine', strangers)).status).toBe(200);
    expect(await worldText(service)).toBe(mine);
    const { account_id } = world;
    expect((await ask('POST', SNAPSHOTS, { name: 'empty', account_id })).status).toBe(200);
    const listed = await ask('GET', `${SNAPSHOTS}?account_id=${account_id}`);
    expect(listed.envelope.data).toMatchObject([{ name: 'empty', projects: 0 }]);
    const onDisk = () => readdir(join(service.directory, RECORDS_FOLDER, SNAPSHOTS_FOLDER));
    expect(await onDisk()).toHaveLength(3);
    expect((await ask('DELETE', `/_local/v1/accounts/${account_id}`)).status).toBe(200);
    await expect.poll(onDisk).toHaveLength(2);
    for (const gone of [account_id, 'none'])
      for (const { status, envelope } of [
        await ask('GET', `${SNAPSHOTS}?account_id=${gone}`),
        await ask('POST', SNAPSHOTS, { name: 'x', account_id: gone }),
        await ask('POST', `${SNAPSHOTS}/mine/restore`, { account_id: gone }),
        await ask('DELETE', `${SNAPSHOTS}/mine?account_id=${gone}`),
      ])
        expect([status, envelope.message]).toEqual([404, 'Account not found.']);
  },
);
