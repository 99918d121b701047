import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { openWithHeldCheck } from '../helpers/service/held-check.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { runCli, spawnCli } from '../helpers/service/service-process.ts';
import { createWorld, dataOf, type World } from './world.ts';

/* docs/running.md: backups, restores and checks of a service elsewhere, with --url. */

let service: RunningService;
let world: World;
let folder: string;

beforeAll(async () => {
  service = await runService({ vault: 'file' });
  world = await createWorld(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-far-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = ({ service: { http_url, api_key } }: RunningService, key = api_key) => [
  '--url',
  http_url ?? '',
  '--key',
  key,
];

describe.runIf(inFolder)('a backup', () => {
  test('comes from one service and goes to another, with what a passphrase opens', async () => {
    const other = await runService({ vault: 'file' });
    const file = join(folder, 'lab.tar');
    const env = { FIELDBENCH_BACKUP_PASSPHRASE: 'grüne Wiese 100%' };
    const made = await runCli(['backup', file, '--with-secrets', ...at(service)], env);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/2 projects, 1 device, 3 records, \d+ secrets; read again, and whole\.\n$/);
    const would = await runCli(['restore', file, '--dry-run', ...at(other)]);
    expect(would).toMatchObject({ code: 0, stderr: '' });
    expect(would.stdout).toMatch(/records +3 +0 +0\n/);
    expect(would.stdout).toContain('Its secrets are left out');
    expect(await dataOf(other, 'GET', '/_local/v1/status')).toMatchObject({ counts: { projects: 0 } });
    const back = await runCli(['restore', file, '--json', ...at(other)], env);
    expect(back).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(back.stdout)).toMatchObject({ devices: { new: 1 }, records: { new: 3 } });
    const path = `/v2/projects/${world.project_id}/devices/${world.device_id}`;
    expect(await dataOf(other, 'GET', path)).toMatchObject({
      device_credentials: { device_token: world.device_token },
    });
    await other.stop();
  });

  test('may be of a part, by its name there', async () => {
    const part = await runCli(['backup', join(folder, 'part.tar'), '--project', 'Roof', ...at(service)]);
    expect(part).toMatchObject({ code: 0, stderr: '' });
    expect(part.stdout).toContain(' 1 project, 0 devices, 0 records;');
    const file = join(folder, 'none.tar');
    const none = await runCli(['backup', file, '--project', 'Cellar', ...at(service)]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('a project of the service')]);
  });

  test('leaves nothing where the service refuses it or is not there', async () => {
    const file = join(folder, 'lab.tar');
    const refused = await runCli(['backup', file, ...at(service, world.strangers_key)]);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('further account')]);
    const gone = await runCli(['backup', file, '--url', 'http://127.0.0.1:1', '--key', 'k']);
    expect([gone.code, gone.stderr]).toEqual([4, expect.stringContaining('Nothing answers there')]);
    await writeFile(file, 'no backup');
    const wrong = await runCli(['restore', file, ...at(service)]);
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('must be a whole backup')]);
    expect(await readdir(folder)).toEqual(['lab.tar']);
  });
});

describe('a check', () => {
  test('is that of the service, which says the same of itself', async () => {
    const far = await runCli(['check', ...at(service)]);
    expect(far).toMatchObject({ code: 0, stderr: '' });
    expect(far.stdout).toMatch(/3 records the service has\.\nNothing is damaged\.\n$/);
    const json = await runCli(['check', '--json', ...at(service)]);
    expect(JSON.parse(json.stdout)).toMatchObject({ by_service: true, records: 3, damaged: 0 });
    const refused = await runCli(['check', ...at(service, world.strangers_key)]);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('further account')]);
    const gone = await runCli(['check', '--url', 'http://127.0.0.1:1', '--key', 'k']);
    expect([gone.code, gone.stderr]).toEqual([4, expect.stringContaining('Nothing answers there')]);
  });

  test('mends nothing from afar', async () => {
    const { code, stderr } = await runCli(['check', '--repair', ...at(service)]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('on the machine that has it')]);
  });

  test.runIf(inFolder)('says how far it is for as long as it takes', async () => {
    const goOn = Promise.withResolvers<void>();
    const slow = await runService({ vault: 'file' }, { open: openWithHeldCheck(goOn.promise) });
    const child = spawnCli(['check', ...at(slow)]);
    const printed = text(child.stdout);
    const ended = once(child, 'close') as Promise<[number]>;
    let told = '';
    for await (const piece of child.stderr.setEncoding('utf8') as AsyncIterable<string>) {
      told += piece;
      if (/^\d+ of \d+ bytes$/m.test(told)) goOn.resolve();
    }
    expect(await ended).toEqual([0, null]);
    expect(await printed).toContain('Nothing is damaged.');
    await slow.stop();
  });
});

test('a push is for the user of the machine whose service sends, and says so', async () => {
  const { code, stderr } = await runCli([
    'push',
    '--to',
    'https://lab.example:7443',
    ...at(service).slice(0, 2),
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Run it there, with --data')]);
});
