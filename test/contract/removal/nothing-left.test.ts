import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SNAPSHOTS_FOLDER } from '#core/store/log/device/saved/saved-files.ts';
import { expect, test, vi } from 'vitest';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { PATIENTLY } from '../../helpers/patiently.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf } from '../world.ts';

/* Of what was deleted nothing is left in the data folder (docs/api.md, "Deleting"). */

/** The folders of devices. */
const foldersIn = async ({ directory }: RunningService) =>
  (await readdir(join(directory, 'data'))).filter((name) => !name.startsWith('wal-'));

// Looks into files.
test.runIf(inFolder)(
  'devices that are purged, cleared and deleted at the same time leave nothing, now and after restarts',
  async () => {
    let service = await runService();
    const { directory } = service;
    const restart = async () => {
      await service.service.close();
      service = await runService({ directory });
    };
    try {
      const { project_id, device_id } = await createWorld(service);
      // The one that stays gets its folder when its records leave the log.
      const others = async () =>
        (await foldersIn(service)).filter((name) => name !== device_id && name !== SNAPSHOTS_FOLDER);
      const devices = `/v2/projects/${project_id}/devices`;
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          dataOf(service, 'POST', devices, { name: `Rig ${n}`, source: 'http' }),
        ),
      );
      const ended = made.map(async ({ id, metadata }, n) => {
        const local = `/_local/v1/projects/${project_id}/devices/${id}`;
        const { device_token: key = '' } = metadata as { device_token?: string };
        const ask = (method: string, path: string) => service.request(method, path);
        const send = () => service.request('POST', '/integrations/http', { key, body: { a: n } });
        await send();
        const raw = { type: 'application/x-ndjson', bytes: '{"timestamp":0,"a":1}\n' };
        const besides = [
          () => ask('DELETE', `${devices}/${id}/data`),
          () => ask('DELETE', `${local}/records?start=2020-01-01T00:00:00Z&end=2100-01-01T00:00:00Z`),
          () => service.request('POST', `${local}/records`, { raw }),
          () => ask('GET', `${local}/series?width=10`),
          send,
        ];
        const beside = Array.from({ length: 1 + (n % 5) }, (_, i) => besides[(n + i) % 5]?.());
        const answers = await Promise.all([...beside, ask('DELETE', `${devices}/${id}`)]);
        expect(answers.at(-1)?.status).toBe(200);
        for (const answer of answers) expect([200, 401, 404], answer?.text).toContain(answer?.status);
      });
      await Promise.all(ended);
      await vi.waitFor(async () => expect(await others()).toEqual([]), { timeout: 20_000 });
      for (let round = 0; round < 2; round++) {
        await restart();
        expect(service.logged.join('')).not.toContain('does not know');
        expect(await others()).toEqual([]);
      }
    } finally {
      await service.stop();
    }
  },
);

// Looks into files.
test.runIf(inFolder)(
  'a start takes away what deleted devices left that holds no record, and keeps and names what does',
  async () => {
    const service = await runService();
    const { directory } = service;
    await createWorld(service);
    await service.service.close();
    // The folders of this fixture belong to devices that this service never had; `purged` holds no record.
    const fixture = join(import.meta.dirname, '../../fixtures/log-1');
    for (const [name, as] of [
      ['purged', 'left-1'],
      ['purged', 'left-2'],
      ['rig', 'lost-1'],
    ] as const)
      await cp(join(fixture, name), join(directory, 'data', as), { recursive: true });
    const next = await runService({ directory });
    try {
      await vi.waitFor(async () => {
        const warning = next.logged.join('');
        expect(warning).toContain('data of devices that metadata.json does not know: 1, lost-1 among them');
        const folders = await foldersIn(next);
        expect(folders).toContain('lost-1');
        expect(folders.filter((name) => name.startsWith('left'))).toEqual([]);
      }, PATIENTLY);
    } finally {
      await next.stop();
    }
  },
);

/** Where in the data folder a text can be read. */
async function filesWith({ directory }: RunningService, text: string): Promise<string[]> {
  const entries = await readdir(join(directory, 'data'), { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    // A file may go between its name and its bytes.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    if (bytes.includes(text)) found.push(entry.name);
  }
  return found;
}

// Looks into files.
test.runIf(inFolder).each([
  ['a purge', (device: string) => ['DELETE', `/v2${device}/data`]],
  [
    'a range delete that was discarded',
    (device: string) => [
      'DELETE',
      `/_local/v1${device}/records?start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z`,
    ],
  ],
  ['a purge that was discarded', (device: string) => ['DELETE', `/_local/v1${device}/records`]],
  ['a delete of its device that was discarded', (device: string) => ['DELETE', `/_local/v1${device}`]],
  ['the delete of its device', (device: string) => ['DELETE', `/v2${device}`]],
  [
    'the delete of its project',
    (device: string) => ['DELETE', `/v2${device.slice(0, device.indexOf('/devices'))}`],
  ],
] as const)('what was deleted by %s can soon be read in no file, and the rest stays', async (_, call) => {
  const service = await runService();
  try {
    const { project_id, device_id, device_token: key, other_project_id } = await createWorld(service);
    const send = (token: string, body: unknown) =>
      service.request('POST', '/integrations/http', { key: token, body });
    const other = await dataOf(service, 'POST', `/v2/projects/${other_project_id}/devices`, {
      name: 'Other',
      source: 'http',
    });
    const { device_token = '' } = other['metadata'] as { device_token?: string };
    await send(device_token, { note: 'this one stays' });
    for (let n = 0; n < 5; n++)
      await send(key, { timestamp: '2020-01-01T12:00:00Z', note: `secret ${n}`, [`secret key ${n}`]: n });
    expect(await filesWith(service, 'secret')).not.toEqual([]);
    const [method, path] = call(`/projects/${project_id}/devices/${device_id}`);
    const answer = await service.request(method ?? '', path ?? '');
    expect(answer.status).toBe(200);
    const { undo } = answer.envelope.data as unknown as { readonly undo?: { readonly id: string } };
    if (undo) await dataOf(service, 'DELETE', `/_local/v1/undo/${undo.id}`);
    await vi.waitFor(async () => expect(await filesWith(service, 'secret')).toEqual([]), { timeout: 30_000 });
    expect(await filesWith(service, 'this one stays')).not.toEqual([]);
    const page = `/v2/projects/${other_project_id}/devices/${other.id}/data?page=1&limit=9&range=all`;
    expect((await service.request('GET', page)).text).toContain('this one stays');
  } finally {
    await service.stop();
  }
});
