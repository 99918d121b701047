import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBackup } from '#core/backup/read-backup.ts';
import { nodeFiles } from '#core/disk/files.ts';
import { readInPieces } from '#core/disk/whole-file.ts';
import type { Page } from '@playwright/test';
import { expect, inFolder, shot, test } from '../app.ts';
import { expectDone, makeDevice, makeProject, store, visit } from '../steps/steps.ts';

test.skip(!inFolder, 'what lies in a database is backed up by its own means');

test('everything is saved as a file, and what was lost since comes back from it', async ({
  page,
  api,
  dataDirectory,
}) => {
  const lost = await makeProject(api, 'Cellar');
  const pump = await makeDevice(api, lost, 'Pump');
  await store(api, pump, [{ bar: 1.5 }, { bar: 1.6 }]);
  const boiler = await makeDevice(api, await makeProject(api, 'Roof'), 'Boiler');
  await store(api, boiler, { celsius: 60 });

  await visit(page, '#/service/storage');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Back up', exact: true }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^fieldbench_\d{4}-\d\d-\d\d\.tar$/);
  const file = join(dataDirectory, 'monday.tar');
  await download.saveAs(file);
  await expect(page.getByText(/2 projects, 2 devices in fieldbench_.*\.tar\./)).toBeVisible();

  const { data } = await expectDone(api('DELETE', `/_local/v1/projects/${lost}`));
  await expectDone(api('DELETE', `/_local/v1/undo/${(data as { undo: { id: string } }).undo.id}`));
  await store(api, boiler, { celsius: 61 });

  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Restore…' }).click();
  await (await choosing).setFiles(file);
  const dialog = page.getByRole('dialog', { name: 'Restore a backup' });
  const counts = dialog.getByRole('table', { name: 'What would come back' });
  await expect(counts.getByRole('row', { name: 'projects' })).toHaveText(/projects\s*1\s*1\s*0/i);
  await expect(counts.getByRole('row', { name: 'records' })).toHaveText(/records\s*2\s*1\s*1/i);
  await shot(page, 'restore-backup');
  await expect(dialog.getByRole('button', { name: 'Restore' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 device, 2 records came back.')).toBeVisible();
  await expect(page.getByRole('treeitem', { name: 'Cellar' })).toBeVisible();
  await store(api, pump, { bar: 1.7 });

  const wrong = join(dataDirectory, 'wrong.tar');
  await writeFile(wrong, 'time,bar\n'.repeat(10_000));
  const again = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Restore…' }).click();
  await (await again).setFiles(wrong);
  await expect(dialog.getByRole('alert')).toContainText('must be a whole backup');
  await expect(dialog.getByRole('button', { name: 'Restore' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

/** Text that does not get shorter by being packed. */
const noise = (bytes: number) => randomBytes(bytes).toString('base64');

/** Counts the bytes of files that come to the page, whichever window it is in. */
async function countAtPage(page: Page): Promise<() => Promise<number>> {
  let overSocket = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void (overSocket += payload.length)),
  );
  await page.reload();
  await page.evaluate(() => {
    const seen = window as unknown as { filesSeen: number };
    seen.filesSeen = 0;
    window.fieldbench?.listen((message) => {
      if (message.type === 'bytes') seen.filesSeen += message.bytes.length;
    });
  });
  return async () =>
    overSocket + (await page.evaluate(() => (window as unknown as { filesSeen: number }).filesSeen));
}

test('a large backup is saved whole while it is made, and does not pass through the page', async ({
  page,
  api,
  dataDirectory,
}) => {
  const pump = await makeDevice(api, await makeProject(api, 'Cellar'), 'Pump');
  for (let part = 0; part < 8; part++)
    await store(
      api,
      pump,
      Array.from({ length: 100 }, () => ({ log: noise(40_000) })),
    );
  await visit(page, '#/service/storage');
  const cameToPage = await countAtPage(page);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Back up', exact: true }).click();
  const download = await saving;
  const file = join(dataDirectory, 'large.tar');
  // What is told goes after some seconds.
  await expect(page.getByText(/1 project, 1 device in fieldbench_.*\.tar\./)).toBeVisible();
  await download.saveAs(file);

  expect((await stat(file)).size).toBeGreaterThan(30_000_000);
  const { manifest, members } = await readBackup(readInPieces(nodeFiles, file));
  expect(manifest).toMatchObject({ projects: 1, devices: 1, records: 800 });
  // Each member is compared with its digest.
  for await (const { content } of members) for await (const piece of content) void piece;
  expect(await cameToPage()).toBeLessThan(2_000_000);
});
