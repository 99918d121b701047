import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openFileWith } from '#core/disk/open-file-with.ts';
import { answerTo, backupOf, restored } from '../../contract/backup/backups.ts';
import { createWorld, dataOf } from '../../contract/world.ts';
import { runService } from '../../helpers/service/running-service.ts';

const disk = vi.hoisted(() => ({ isBroken: false }));
const refuse = () => {
  if (disk.isBroken) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
};

/* A disk on which the metadata can neither be synced nor written anew, while the records can. */
vi.mock(import('#core/disk/files.ts'), async (original) => {
  const files = await original();
  const { nodeFiles } = files;
  return {
    ...files,
    nodeFiles: {
      ...nodeFiles,
      openForWriting(path, create, mode) {
        if (!path.includes('metadata')) return nodeFiles.openForWriting(path, create, mode);
        if (path.endsWith('.tmp')) refuse();
        const file = nodeFiles.openForWriting(path, create, mode);
        return openFileWith(file, {
          async sync() {
            refuse();
            await file.sync();
          },
        });
      },
    },
  };
});

test('a restore of which nobody knows whether it was decided is there whole after a kill, or not at all', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  const service = await runService({ vault: 'file' });
  const { project_id, device_id } = await createWorld(service);
  const file = await backupOf(service);
  const { undo } = await dataOf(service, 'DELETE', `/_local/v1/projects/${project_id}`);
  await dataOf(service, 'DELETE', `/_local/v1/undo/${(undo as { id: string }).id}`);

  disk.isBroken = true;
  const { status, envelope } = await answerTo(service, file);
  expect(status).toBe(500);
  expect(envelope.message).toMatch(/nobody can say whether it holds the last change/);
  // Once more, while it still fails.
  expect((await answerTo(service, file)).status).toBe(500);
  const killed = join(folder, 'killed');
  await cp(service.directory, killed, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  disk.isBroken = false;

  const again = await runService({ vault: 'file', directory: killed });
  const summary = `/_local/v1/projects/${project_id}/devices/${device_id}/summary`;
  const found = await again.request('GET', summary);
  if (found.status === 200) expect(found.envelope.data).toMatchObject({ records: 3 });
  else expect(found.status).toBe(404);
  await restored(again, file);
  expect(await dataOf(again, 'GET', summary)).toMatchObject({ records: 3 });
  // And where it goes on: the disk works again.
  await restored(service, file);
  expect(await dataOf(service, 'GET', summary)).toMatchObject({ records: 3 });
  await again.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});
