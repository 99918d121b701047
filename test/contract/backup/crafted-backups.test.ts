import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeBlock } from '#core/store/blocks/block/block-writer.ts';
import { RowBuffer } from '#core/store/blocks/block/row-buffer.ts';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';
import { backupOf, crafted, deviceRow, idOf, NO_STATE, projectRow, refused, restored } from './backups.ts';

/* Files that look like backups and that no service has written: each is refused, says why, and leaves everything as it is. */

let service: RunningService;
let world: World;
beforeEach(async () => {
  service = await runService({ vault: 'file' });
  world = await createWorld(service);
});
afterEach(() => service.stop());

const counts = async () => (await dataOf(service, 'GET', '/_local/v1/status'))['counts'];

/** Refused, for both questions; and what is there is as it was. */
async function holdsOff(file: Buffer): Promise<string> {
  const before = await counts();
  const asked = await refused(service, file, '?dry_run=true');
  expect(await refused(service, file)).toBe(asked);
  expect(await counts()).toEqual(before);
  expect(await restored(service, await backupOf(service))).toMatchObject({ records: { new: 0, same: 3 } });
  return asked;
}

const blockOf = (times: readonly number[], value = 1) => {
  const rows = new RowBuffer();
  for (const timestamp of times) rows.add({ timestamp, received: 1, keys: ['a'], values: [value] });
  return encodeBlock(rows);
};

const withBlocks = (blocks: Buffer) =>
  crafted([projectRow(1), deviceRow(2, 1)], {
    [`devices/${idOf(2)}/state.json`]: NO_STATE,
    [`devices/${idOf(2)}/records.blocks`]: blocks,
  });

describe.skipIf(inDatabase)('a file that no service has written', () => {
  test('may be as small as it likes', async () => {
    expect(await restored(service, await withBlocks(blockOf([1, 2, 2])))).toMatchObject({
      devices: { new: 1 },
      records: { new: 3 },
    });
    expect(await restored(service, await crafted([]))).toMatchObject({ projects: { new: 0 } });
  });

  test.each([
    ['times that are no numbers', blockOf([NaN])],
    ['times beyond all years', blockOf([1, 1e300])],
    ['numbers that are none', blockOf([1], NaN)],
    ['no rows', blockOf([])],
    ['half a block', blockOf([1, 2, 3]).subarray(0, 16)],
    ['a length of 0', Buffer.alloc(16)],
    ['rows beyond its bytes', withRows(blockOf([1, 2, 3]), 1_000_000)],
  ])('with records of %s', async (_, blocks) => {
    expect(await holdsOff(await withBlocks(blocks))).toMatch(
      /records\.blocks" holds something else than the records of a device/,
    );
  });

  test('with more keys than a device has room for, also in place of what is there', async () => {
    const { project_id, device_id } = world;
    const rows = new RowBuffer();
    for (let n = 0; n < 17; n++)
      rows.add({
        timestamp: n,
        received: 1,
        keys: Array.from({ length: 256 }, (_, key) => `key ${n * 256 + key}`).toSorted(),
        values: Array.from({ length: 256 }, () => 1),
      });
    const file = await crafted(
      [projectRow(1, { id: project_id }), deviceRow(2, 1, { id: device_id, project_id })],
      {
        [`devices/${device_id}/state.json`]: NO_STATE,
        [`devices/${device_id}/records.blocks`]: encodeBlock(rows),
      },
    );
    for (const query of ['', '?replace=true'])
      expect(await refused(service, file, query)).toMatch(
        /The device "D 2" cannot be restored: a device holds at most 4096 distinct keys/,
      );
    expect(await restored(service, await backupOf(service))).toMatchObject({ records: { new: 0, same: 3 } });
  });

  test('with deletes that can be undone, which would remove what is there when they are given up', async () => {
    const { device_id } = world;
    const rows = { devices: [{ id: device_id, sequence: 1, token_hash: 'x' }] };
    const file = await crafted([{ table: 'kept_deletes', row: { id: idOf(9), kind: 'project', rows } }]);
    expect(await holdsOff(file)).toMatch(/line 1", no backup has rows of the table "kept_deletes"/);
  });

  test.each([
    [
      'a device of no project',
      [deviceRow(2, 1)],
      /devices "0{8}.*2" belongs to nothing that is in it or here/,
    ],
    ['a row twice', [projectRow(1), projectRow(1)], /line 2", projects "0{8}.*1" is there twice/],
    [
      'a token twice',
      [
        projectRow(1),
        deviceRow(2, 1, { token_hash: 'a'.repeat(64) }),
        deviceRow(3, 1, { token_hash: 'a'.repeat(64) }),
      ],
      /two devices have the token of "D 3"/,
    ],
    [
      'an id that is a path',
      [projectRow(1), deviceRow(2, 1, { id: '../../x' })],
      /"..\/..\/x" is no id that a service would have given/,
    ],
    ['an id that every object has', [projectRow(1, { id: '__proto__' })], /"__proto__" is no id/],
    [
      'a row without what it needs',
      [projectRow(1, { name: undefined })],
      /metadata\.ndjson, projects", name/,
    ],
  ])('with %s', async (_, rows, message) => {
    expect(await holdsOff(await crafted(rows))).toMatch(message);
  });

  test('with a folder in it, which has no bytes to wait for', async () => {
    const file = await crafted([]);
    file.write('5', 156, 'latin1');
    file.fill(' ', 148, 156);
    const sum = file.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    file.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    expect(await holdsOff(file)).toMatch(/tar file.*"manifest.json" is no file, but a directory/);
  });
});

/** A block that claims so many rows. */
function withRows(block: Buffer, rows: number): Buffer {
  const bytes = Buffer.from(block);
  bytes.writeUInt32LE(rows, 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}
