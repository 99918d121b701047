import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { nodeFiles } from '#core/disk/files.ts';
import { startServiceProcess, type ServiceProcess } from '../../helpers/service/service-process.ts';
import { readerOf } from './door.ts';
import { damaged, layOut, type Known } from './folder-image.ts';
import { expectPart, folderCase, known, type Case } from './folders.ts';

/* Damaged data directories on a real disk, and `fieldbench serve` on them: it starts and stops, or says why not and ends. */

const PAGE = 'data?page=1&limit=10000&range=all';

interface Start extends Case {
  readonly vault: 'file' | 'auto';
}

/** No keychain of whoever runs this is asked; where it needs no D-Bus, none may be. */
const ALONE = { DBUS_SESSION_BUS_ADDRESS: 'disabled:' };
const VAULTS: readonly Start['vault'][] = process.platform === 'linux' ? ['file', 'auto'] : ['file'];

const start: fc.Arbitrary<Start> = fc
  .tuple(folderCase, fc.constantFrom(...VAULTS))
  .map(([one, vault]) => ({ ...one, vault }));

/** What cannot be read since a newer Fieldbench wrote it: a device, and lists that it is in. */
const NEWER = /"The data of a device was written by a newer Fieldbench /;

async function expectSaid(answer: Response, path: string): Promise<string> {
  const text = await answer.text();
  ok([200, 404, 403].includes(answer.status) || NEWER.test(text), `${path}: ${answer.status} ${text}`);
  return text;
}

const listsOf = (devices: Known['devices']) => [
  ...new Set(
    devices.flatMap((ref) =>
      'project_id' in ref
        ? [`/v2/projects/${ref.project_id}/devices`, `/_local/v1/projects/${ref.project_id}/devices`]
        : [],
    ),
  ),
];

/** What devices answer is a part of what was written to them, whatever else has been lost. */
async function expectDevices(service: ServiceProcess, { devices, written }: Known): Promise<void> {
  for (const list of listsOf(devices)) await expectSaid(await service.fetch(list), list);
  for (const [at, ref] of devices.entries()) {
    if (ref.kind !== 'device-token') continue;
    const path = `/v2/projects/${ref.project_id}/devices/${ref.device_id}`;
    const device = await service.fetch(path);
    const page = await service.fetch(`${path}/${PAGE}`);
    deepStrictEqual([device.status, page.status], [page.status, device.status]);
    const text = await expectSaid(page, path);
    if (page.status !== 200) continue;
    const { data } = JSON.parse(text) as { data: readonly object[] };
    const found = data.toReversed().map((record) => JSON.stringify(record));
    expectPart(found, written.records[at] ?? [], 'record');
  }
}

async function tryStart({ moment, damage, vault }: Start): Promise<void> {
  const from = await known();
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-fuzz-'));
  try {
    await layOut(nodeFiles, damaged(from.moments[moment], damage).image, directory);
    const service = await startOn(directory, vault);
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
async function startOn(directory: string, vault: string): Promise<ServiceProcess | null> {
  try {
    return await startServiceProcess({ directory, args: ['--vault', vault, '--tls', 'off'], env: ALONE });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const isSaid = /ended with 1 before it was ready:[^]*fieldbench: .{20}/.test(words);
    ok(isSaid && !/\n\s+at |node_modules/.test(words), words);
    return null;
  }
}

export const starts = readerOf('starts', start, tryStart);
