import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '#core/disk/files.ts';
import { startServiceProcess, type ServiceProcess } from '../../helpers/service-process.ts';
import { readerOf } from './door.ts';
import { damaged, layOut, type Known } from './folder-image.ts';
import { expectPart, folderCase, known, type Case } from './folders.ts';

/* Damaged data directories on a real disk, and `fieldbench serve` on them: it starts and stops, or says why not and ends. */

const PAGE = 'data?page=1&limit=10000&range=all';

/** What devices answer is a part of what was written to them, whatever else has been lost. */
async function expectDevices(service: ServiceProcess, { tokens, records }: Known): Promise<void> {
  for (const { ref } of tokens) {
    if (ref.kind !== 'device-token') continue;
    const path = `/v2/projects/${ref.project_id}/devices/${ref.device_id}`;
    const device = await service.fetch(path);
    const page = await service.fetch(`${path}/${PAGE}`);
    deepStrictEqual([device.status, page.status], [page.status, device.status]);
    ok([200, 404, 403].includes(page.status), `${path}: ${page.status} ${await page.clone().text()}`);
    if (page.status !== 200) continue;
    const { data } = (await page.json()) as { data: readonly object[] };
    const found = data.toReversed().map((record) => JSON.stringify(record));
    expectPart(found, records.get(ref.device_id) ?? [], 'record');
  }
}

async function tryStart({ image, damage }: Case): Promise<void> {
  const from = await known();
  const [whole, older] = image === 0 ? from.images : from.images.toReversed();
  if (!whole || !older) throw new Error('There are no directories to damage.');
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-fuzz-'));
  try {
    await layOut(nodeFiles, damaged(whole, older, damage).image, directory);
    const service = await startOn(directory);
    if (service === null) return;
    try {
      await expectDevices(service, from);
      deepStrictEqual(await service.stop(), 0, `exit code of a stop: ${service.output()}`);
    } finally {
      await service.kill();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Null where it does not start and says why in a sentence. */
async function startOn(directory: string): Promise<ServiceProcess | null> {
  try {
    return await startServiceProcess({ directory, args: ['--vault', 'file', '--tls', 'off'] });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const isSaid = /ended with 1 before it was ready:[^]*fieldbench: .{20}/.test(words);
    ok(isSaid && !/\n\s+at |node_modules/.test(words), words);
    return null;
  }
}

export const starts = readerOf('starts', folderCase, tryStart);
