import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/backup.md: `fieldbench backup` and `fieldbench restore`. */

let service: RunningService;
let other: RunningService;
let world: World;
let folder: string;

beforeEach(async () => {
  [service, other] = [await runService({ vault: 'file' }), await runService({ vault: 'file' })];
  world = await createWorld(service);
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-cli-'));
});
afterEach(async () => {
  await service.stop();
  await other.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = ({ directory }: RunningService) => ['--data', directory];

describe.runIf(inFolder)('the command line', () => {
  test('writes a backup, looks at what it would bring, and brings it', async () => {
    const file = join(folder, 'monday.tar');
    const made = await runCli(['backup', file, ...at(service)]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(
      /monday\.tar: [\d,]+ bytes, 2 projects, 1 device, 3 records; read again, and whole\.\n$/,
    );
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    const would = await runCli(['restore', file, '--dry-run', ...at(other)]);
    expect(would.stdout).toMatch(/^Would come back; nothing was changed:\n/);
    expect(would.stdout).toMatch(/records +3 +0 +0\n/);
    expect(await dataOf(other, 'GET', '/_local/v1/status')).toMatchObject({ counts: { projects: 0 } });
    const back = await runCli(['restore', file, '--json', ...at(other)]);
    expect(back).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(back.stdout)).toMatchObject({
      devices: { new: 1, same: 0, differ: 0 },
      records: { new: 3 },
    });
    expect(await dataOf(other, 'GET', '/_local/v1/status')).toMatchObject({
      counts: { projects: 2, devices: 1 },
    });
  });

  test('writes over nothing, and leaves nothing where it fails', async () => {
    const file = join(folder, 'monday.tar');
    await writeFile(file, 'something else');
    const there = await runCli(['backup', file, ...at(service)]);
    expect(there).toMatchObject({ code: 1, stdout: '' });
    expect(there.stderr).toMatch(/is there already, and was left as it is/);
    expect(await readFile(file, 'utf8')).toBe('something else');
    const nowhere = await runCli(['backup', join(folder, 'no', 'such.tar'), ...at(service)]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toMatch(/The backup failed, and nothing of it was kept/);
    const unknown = await runCli(['backup', join(folder, 'x.tar'), '--device', 'none', ...at(service)]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('--device must be') as string });
    const gone = await runCli(['backup', join(folder, 'x.tar'), '--device', world.note_id, ...at(service)]);
    expect(gone).toMatchObject({ code: 3, stderr: expect.stringContaining('Device not found') as string });
    expect(await readdir(folder)).toEqual(['monday.tar']);
  });

  test('says what is wrong with a file, or that none is named', async () => {
    const file = join(folder, 'wrong.tar');
    await writeFile(file, 'timestamp,value\n'.repeat(1_000_000));
    const wrong = await runCli(['restore', file, ...at(other)]);
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toMatch(/must be a whole backup, as a tar file/);
    const missing = await runCli(['restore', join(folder, 'none.tar'), ...at(other)]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no file') as string });
    const none = await runCli(['restore', ...at(other)]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('a FILE is needed') as string });
  });

  test('takes secrets along with a passphrase of a file or the environment, and says where they are left out', async () => {
    const file = join(folder, 'monday.tar');
    const passphrase = join(folder, 'passphrase');
    await writeFile(passphrase, 'grüne Wiese 100%\n');
    const flags = ['--passphrase-file', passphrase];
    const made = await runCli(['backup', file, '--with-secrets', ...flags, ...at(service)]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/3 records, \d+ secrets; read again, and whole\.\n$/);
    const without = await runCli(['restore', file, '--dry-run', ...at(other)]);
    expect(without.stdout).toMatch(/Its secrets are left out: their passphrase is needed/);
    await writeFile(join(folder, 'wrong'), 'green meadow');
    const wrong = await runCli(['restore', file, '--passphrase-file', join(folder, 'wrong'), ...at(other)]);
    expect(wrong).toMatchObject({ code: 3, stdout: '' });
    expect(wrong.stderr).toMatch(/passphrase must be the one of the backup/);
    const env = { FIELDBENCH_BACKUP_PASSPHRASE: 'grüne Wiese 100%' };
    const back = await runCli(['restore', file, ...at(other)], env);
    expect(back).toMatchObject({ code: 0, stderr: '' });
    expect(back.stdout).toMatch(/secrets +[1-9]\d* +0 +0\n/);
    const path = `/v2/projects/${world.project_id}/devices/${world.device_id}`;
    expect(await dataOf(other, 'GET', path)).toMatchObject({
      device_credentials: { device_token: world.device_token },
    });
    const json = await runCli(
      ['backup', join(folder, 'again.tar'), '--with-secrets', '--json', ...at(other)],
      env,
    );
    expect(JSON.parse(json.stdout)).toMatchObject({ records: 3, secrets: expect.any(Number) as number });
  });

  test('makes no backup with secrets without a passphrase', async () => {
    const file = join(folder, 'monday.tar');
    await writeFile(join(folder, 'empty'), '\n');
    for (const [flags, message] of [
      [
        ['--with-secrets'],
        /--with-secrets needs a passphrase: in a file .* or in FIELDBENCH_BACKUP_PASSPHRASE/,
      ],
      [['--passphrase-file', join(folder, 'empty')], /--passphrase-file is for --with-secrets/],
      [['--with-secrets', '--passphrase-file', join(folder, 'empty')], /--passphrase-file ".*" is empty/],
      [['--with-secrets', '--passphrase-file', join(folder, 'none')], /--passphrase-file ".*" is not there/],
      [['--with-secrets', '--passphrase-file', folder], /--passphrase-file ".*" cannot be read/],
      [['--with-secrets', '--passphrase', 'x'], /--passphrase/],
    ] as const) {
      const { code, stderr } = await runCli(['backup', file, ...flags, ...at(service)]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    }
    expect((await readdir(folder)).filter((name) => name.includes('monday'))).toEqual([]);
  });

  test('brings one project of a backup', async () => {
    const file = join(folder, 'all.tar');
    await runCli(['backup', file, ...at(service)]);
    const one = await runCli(['restore', file, '--project', world.other_project_id, '--json', ...at(other)]);
    expect(JSON.parse(one.stdout)).toMatchObject({ projects: { new: 1 }, devices: { new: 0 } });
    const none = await runCli(['restore', file, '--project', 'none', ...at(other)]);
    expect(none.stderr).toMatch(/--project must be the name or id of a project of the backup, got "none"/);
    expect(none.code).toBe(2);
    const other_id = await runCli(['restore', file, '--project', world.note_id, ...at(other)]);
    expect(other_id.stderr).toMatch(/--project must be of what the backup holds, got "/);
    expect(other_id.code).toBe(2);
  });
});
