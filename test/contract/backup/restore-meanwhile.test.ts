import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError, VaultError } from '#core/base/errors.ts';
import { openBackend } from '#core/service/open-backend.ts';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';
import { answerTo, backupOf, refused, restored } from './backups.ts';
import { broken, countingStaged, runningJobs, sendSlowly } from './slow-restore.ts';

/* What happens between a backup and its restore, and while one is on its way. */

let service: RunningService;
let world: World;
let device: string;
let staged: { readonly times: number };
beforeEach(async () => {
  const counting = countingStaged();
  ({ staged } = counting);
  service = await runService({ vault: 'file' }, counting.parts);
  world = await createWorld(service);
  device = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
});
afterEach(() => service.stop());

const summary = () => dataOf(service, 'GET', `${device}/summary`);
const store = async (key: string, body: unknown) =>
  (await service.request('POST', '/integrations/http', { key, body })).status;
const lastDelete = async () =>
  ((await dataOf(service, 'GET', '/_local/v1/undo')) as unknown as readonly object[])[0];
/** As many records of so many keys as a device may have. */
const full = () =>
  Array.from({ length: 16 }, (_, n) =>
    Object.fromEntries(Array.from({ length: 256 }, (__, key) => [`key ${n * 256 + key}`, 1])),
  );
async function upload(records: number): Promise<void> {
  const bytes = Array.from({ length: records }, (_, n) => `${JSON.stringify({ timestamp: n, a: n })}\n`).join(
    '',
  );
  const raw = { type: 'application/x-ndjson', bytes };
  await service.request('POST', `${device}/records?format=ndjson`, { raw });
}
const segments = () =>
  readdirSync(service.directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.seg'),
  );
const undoIdOf = ({ undo }: Record<string, unknown>) => (undo as { id: string }).id;

describe.skipIf(inDatabase)('between a backup and its restore', () => {
  test('a range that was deleted comes back once where all is replaced, too', async () => {
    const file = await backupOf(service);
    await dataOf(service, 'DELETE', `${device}/records?start=2026-03-02T20:31:00Z&end=2026-03-02T20:31:59Z`);
    expect(await restored(service, file, '?replace=true')).toMatchObject({
      records: { new: 1, same: 2, differ: 0 },
    });
    expect(await summary()).toMatchObject({ records: 3 });
  });

  test('a device that was moved keeps its place, and what is of it comes back to where it is', async () => {
    const note = { start: '2026-03-02T20:31:00Z', text: 'Seen' };
    const made = await dataOf(service, 'POST', `${device}/notes`, note);
    const file = await backupOf(service);
    await dataOf(service, 'DELETE', `${device}/notes/${made.id}`);
    const other = world.other_project_id;
    await dataOf(service, 'POST', `${device}/move`, { to: other });
    await restored(service, file);
    const moved = `/_local/v1/projects/${other}/devices/${world.device_id}`;
    const changed = await dataOf(service, 'PATCH', `${moved}/notes/${made.id}`, { text: 'Seen again' });
    expect(changed).toMatchObject({ text: 'Seen again' });
    await dataOf(service, 'DELETE', `/_local/v1/projects/${world.project_id}`);
    expect(await dataOf(service, 'GET', `${moved}/notes`)).toContainEqual(
      expect.objectContaining({ id: made.id, text: 'Seen again' }),
    );
  });

  test('what a disk has damaged meanwhile comes back', async () => {
    await upload(5000);
    const file = await backupOf(service);
    await service.service.close();
    const { directory } = service;
    const [segment = ''] = segments();
    const path = join(directory, segment);
    const bytes = await readFile(path);
    bytes[400] = bytes[400]! ^ 1;
    await writeFile(path, bytes);
    service = await runService({ vault: 'file', directory });
    const { records } = await restored(service, file);
    expect(records.new).toBeGreaterThan(0);
    expect(records.new + records.same).toBe(5003);
    expect(await summary()).toMatchObject({ records: 5003 });
    expect(await restored(service, file)).toMatchObject({ records: { new: 0, same: 5003, differ: 0 } });
  });

  test('keys that fill the device are no obstacle where the backup takes their place', async () => {
    const file = await backupOf(service);
    const id = undoIdOf(await dataOf(service, 'DELETE', `${device}/records`));
    await dataOf(service, 'DELETE', `/_local/v1/undo/${id}`);
    expect(await store(world.device_token, full())).toBe(200);
    expect(await refused(service, file)).toMatch(
      /The device "ESP32" cannot be restored: a device holds at most 4096 distinct keys/,
    );
    expect(await restored(service, file, '?replace=true')).toMatchObject({ records: { new: 3, differ: 16 } });
    expect(await summary()).toMatchObject({ records: 3 });
    expect(await lastDelete()).toMatchObject({ kind: 'purge', deleted: { records: 16 } });
  });

  test('a token that was issued anew stays, whatever is replaced', async () => {
    const file = await backupOf(service);
    const fresh = await dataOf(service, 'POST', `${device}/token`, {});
    await dataOf(service, 'PATCH', device, { name: 'Renamed' });
    await restored(service, file, '?replace=true');
    expect(
      await dataOf(service, 'GET', `/v2/projects/${world.project_id}/devices/${world.device_id}`),
    ).toMatchObject({ name: 'ESP32' });
    expect(await store(fresh['device_token'] as string, { a: 1 })).toBe(200);
    expect(await store(world.device_token, { a: 1 })).toBe(401);
  });

  test('what was deleted and can be undone is named, and stays deleted', async () => {
    const file = await backupOf(service);
    const id = undoIdOf(await dataOf(service, 'DELETE', device));
    expect(await refused(service, file)).toMatch(/The device "ESP32" cannot be restored: .*undo/);
    await dataOf(service, 'DELETE', `/_local/v1/undo/${id}`);
    expect(await restored(service, file)).toMatchObject({ devices: { new: 1 }, records: { new: 3 } });
    expect(await summary()).toMatchObject({ records: 3 });
  });

  test('a device that cannot be removed for good yet does not come back to be removed later', async () => {
    await service.service.close();
    let isLocked = true;
    const { directory } = service;
    service = await runService(
      { vault: 'file', directory },
      {
        async open(options) {
          const backend = await openBackend(options);
          const remove = backend.vault.delete.bind(backend.vault);
          backend.vault.delete = async (entry) => {
            if (isLocked) throw new VaultError('locked', 'The keychain is locked.');
            await remove(entry);
          };
          return backend;
        },
      },
    );
    const file = await backupOf(service);
    const id = undoIdOf(await dataOf(service, 'DELETE', device));
    expect((await service.request('DELETE', `/_local/v1/undo/${id}`)).envelope.success).toBe(false);
    expect(await refused(service, file)).toMatch(/The device "ESP32" is being deleted for good/);
    isLocked = false;
    await service.service.close();
    service = await runService({ vault: 'file', directory });
    expect(await restored(service, file)).toMatchObject({ devices: { new: 1 }, records: { new: 3 } });
  });
});

describe.skipIf(inDatabase)('while a backup is on its way', () => {
  test('a device that is deleted keeps all that it had, whatever becomes of the restore', async () => {
    const file = await backupOf(service);
    await dataOf(service, 'DELETE', `${device}/records?start=2026-03-02T20:31:00Z&end=2026-03-02T20:31:59Z`);
    for (const [n, isCutOff] of [true, false].entries()) {
      const sending = sendSlowly(service, file);
      // Its records were compared, and those that lack are stored.
      await expect.poll(() => staged.times).toBe(n + 1);
      expect(await runningJobs(service)).toEqual(['restore']);
      const id = undoIdOf(await dataOf(service, 'DELETE', device));
      if (isCutOff) sending.cutOff();
      else await sending.end();
      await expect.poll(async () => runningJobs(service)).toEqual([]);
      await dataOf(service, 'POST', `/_local/v1/undo/${id}`, {});
      expect(await summary()).toMatchObject({ records: 2 });
    }
    expect(await restored(service, file)).toMatchObject({ records: { new: 1, same: 2 } });
    expect(await summary()).toMatchObject({ records: 3 });
  });

  test('who asks for the head of a backup holds no file of it', async () => {
    await upload(2000);
    expect(segments()).not.toEqual([]);
    expect((await service.request('HEAD', '/_local/v1/backup')).status).toBe(200);
    const id = undoIdOf(await dataOf(service, 'DELETE', `${device}/records`));
    await dataOf(service, 'DELETE', `/_local/v1/undo/${id}`);
    await expect.poll(segments).toEqual([]);
  });

  test('keys that take all the room leave what comes back among what was deleted', async () => {
    // The first one waits for it.
    await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
      name: 'Last',
      source: 'http',
    });
    const file = await backupOf(service);
    const id = undoIdOf(await dataOf(service, 'DELETE', `${device}/records`));
    await dataOf(service, 'DELETE', `/_local/v1/undo/${id}`);
    const sending = sendSlowly(service, file);
    await expect.poll(() => staged.times).toBe(1);
    expect(await runningJobs(service)).toEqual(['restore']);
    expect(await store(world.device_token, full())).toBe(200);
    expect(await sending.end()).toMatch(
      /The backup was restored, but for records of \\"ESP32\\": .*among what was deleted/,
    );
    expect(await summary()).toMatchObject({ records: 16 });
    expect(await lastDelete()).toMatchObject({ kind: 'purge', name: 'ESP32', deleted: { records: 3 } });
  });

  test('what a failing disk cut off behind the decision is finished before the next restore', async () => {
    await service.service.close();
    let isBroken = false;
    const { directory } = service;
    const failing = broken(async () => {
      if (isBroken) throw new StoreError('disk-full', 'The disk is full.');
    });
    service = await runService({ vault: 'file', directory }, failing);
    const file = await backupOf(service);
    await store(world.device_token, { timestamp: '2026-03-02T21:00:00Z', extra: 1 });
    isBroken = true;
    const { status, envelope } = await answerTo(service, file, '?replace=true');
    expect(status).toBe(500);
    expect(envelope.message).toMatch(
      /was read whole and comes back, but not all of its records are there yet: The disk is full/,
    );
    expect(await refused(service, file)).toMatch(/Records of the device "ESP32" are being put back/);
    isBroken = false;
    await store(world.device_token, { timestamp: '2026-03-02T22:00:00Z', extra: 2 });
    expect(await restored(service, file)).toMatchObject({ records: { new: 0, same: 3, differ: 1 } });
    expect(await summary()).toMatchObject({ records: 4 });
    expect(await lastDelete()).toMatchObject({ kind: 'purge', name: 'ESP32', deleted: { records: 4 } });
  });

  test('who only looks, and at a damaged file, holds no file of it either', async () => {
    await upload(5000);
    const file = await backupOf(service);
    file[file.length - 2000] = file[file.length - 2000]! ^ 1;
    expect(await refused(service, file, '?dry_run=true')).toMatch(/records\.blocks"/);
    const id = undoIdOf(await dataOf(service, 'DELETE', `${device}/records`));
    await dataOf(service, 'DELETE', `/_local/v1/undo/${id}`);
    await expect.poll(segments).toEqual([]);
  });

  test('a device that is deleted behind the decision holds up no other, and has its records after both undos', async () => {
    const more = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
      name: 'Last',
      source: 'http',
    });
    const { device_token: token } = more['metadata'] as { device_token: string };
    await store(token, { a: 1 });
    const file = await backupOf(service);
    const last = `/_local/v1/projects/${world.project_id}/devices/${more.id}`;
    for (const each of [device, last]) {
      const id = undoIdOf(await dataOf(service, 'DELETE', `${each}/records`));
      await dataOf(service, 'DELETE', `/_local/v1/undo/${id}`);
    }
    await service.service.close();
    let whenBack: (() => Promise<void>) | null = null;
    service = await runService(
      { vault: 'file', directory: service.directory },
      broken(async () => whenBack?.()),
    );
    let id = '';
    whenBack = async () => {
      whenBack = null;
      id = undoIdOf(await dataOf(service, 'DELETE', device));
    };
    expect(await restored(service, file)).toMatchObject({ records: { new: 4 } });
    expect(await dataOf(service, 'GET', `${last}/summary`)).toMatchObject({ records: 1 });
    const records = (await lastDelete()) as unknown as { id: string; deleted: { records: number } };
    await dataOf(service, 'POST', `/_local/v1/undo/${id}`, {});
    const [kept] = (await dataOf(service, 'GET', '/_local/v1/undo')) as unknown as readonly { id: string }[];
    expect(kept, JSON.stringify(records)).toMatchObject({ kind: 'purge', deleted: { records: 3 } });
    await dataOf(service, 'POST', `/_local/v1/undo/${kept?.id}`, {});
    expect(await summary()).toMatchObject({ records: 3 });
  });

  test('two restores come one after the other', async () => {
    const file = await backupOf(service);
    await dataOf(service, 'DELETE', `${device}/records?start=2026-03-02T20:31:00Z&end=2026-03-02T20:31:59Z`);
    const both = await Promise.all([answerTo(service, file), answerTo(service, file)]);
    const brought = both.map(({ envelope }) => envelope.data as unknown as { records: { new: number } });
    expect(new Set(brought.map(({ records }) => records.new))).toEqual(new Set([0, 1]));
    expect(await summary()).toMatchObject({ records: 3 });
  });
});
