import { spawnSync, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openZip } from '#core/handover/verify/read-zip.ts';
import { inMemory } from '../../fuzz/handover/package.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { trailOf } from '../audit/told.ts';
import { backupOf, restored } from '../backup/backups.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/hand-over.md: devices that a restore brought, with what was done to them where they were before. */

describe.runIf(inFolder)('a package of devices that a backup brought', () => {
  let service: RunningService;
  let other: RunningService;
  let world: World;
  let folder: string;
  let former: string;

  const handOver = async (device: string, name = 'p.zip') => {
    const file = join(folder, name);
    expect(await runCli(['handover', device, '--out', file, '--data', other.directory])).toMatchObject({
      code: 0,
    });
    return file;
  };
  const inside = async (file: string) => {
    const { entries } = await openZip(inMemory(await readFile(file)));
    const all = await Promise.all(
      entries.map(async ({ name, content }) => [name, (await buffer(content())).toString()] as const),
    );
    return new Map(all);
  };

  beforeAll(async () => {
    [service, other] = [await runService({ vault: 'file' }), await runService({ vault: 'file' })];
    world = await createWorld(service);
    await restored(other, await backupOf(service));
    const [found] = (await dataOf(other, 'GET', '/_local/v1/audit'))['former'] as { sha256: string }[];
    former = `former-audit-trails/${found?.sha256 ?? ''}.ndjson`;
  });
  afterAll(async () => {
    await service.stop();
    await other.stop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-handover-'));
    return () => rm(folder, { recursive: true, force: true });
  });

  test('has their lines of the former trail, as they are kept there, and is the same bytes twice', async () => {
    const [file, second] = [await handOver(world.device_id), await handOver(world.device_id, 'again.zip')];
    const files = await inside(file);
    const lines = files.get(former)?.trimEnd().split('\n') ?? [];
    const told = lines.map((line) => JSON.parse(line) as { operation: string; devices: { id: string }[] });
    expect(told.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['devices.create', 'notes.create', 'corrections.create']),
    );
    for (const { devices } of told) expect(devices.map(({ id }) => id)).toEqual([world.device_id]);
    const kept = new Set((await trailOf(service)).split('\n'));
    expect(lines.filter((line) => kept.has(line)).length).toBeGreaterThan(2);
    expect(files.get('HOW-TO-CHECK.txt')).toContain('former-audit-trails/');
    expect((await readFile(file)).equals(await readFile(second))).toBe(true);
    expect(await runCli(['verify', file])).toMatchObject({ code: 0 });
  });

  test('has no such file where the device was made here', async () => {
    const device = await dataOf(other, 'POST', `/v2/projects/${world.project_id}/devices`, {
      name: 'Made here',
      source: 'http',
    });
    const files = await inside(await handOver(device['id']));
    expect([...files.keys()].filter((name) => name.startsWith('former'))).toEqual([]);
    expect(files.get('HOW-TO-CHECK.txt')).not.toContain('former-audit-trails');
  });

  test.runIf(process.platform !== 'win32')('is checked without Fieldbench, these lines with it', async () => {
    const where = join(folder, 'unpacked');
    await mkdir(where);
    execFileSync('unzip', ['-q', await handOver(world.device_id), '-d', where]);
    const text = await readFile(join(where, 'HOW-TO-CHECK.txt'), 'utf8');
    const said = text
      .split('\n')
      .filter((line) => /^ {2}(?:openssl|sed|find) /.test(line))
      .map((line) => spawnSync('sh', ['-c', line], { cwd: where, encoding: 'utf8' }).stdout.trim());
    expect(said[2]).toContain(`${former}: OK`);
    expect(said[2]).not.toContain('FAILED');
    expect(said[3]).toBe('');
  });
});
