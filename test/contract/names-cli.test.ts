import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { runCli } from '../helpers/service/service-process.ts';
import { createWorld, dataOf, type World } from './world.ts';

/* docs/running.md, "Names and ids": projects and devices by their names at the command line, asked of a real service. */

let service: RunningService;
let world: World;
/** Another device called as the one of the world is, in the other project. */
let namesake: string;
let folder: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  const path = `/v2/projects/${world.other_project_id}/devices`;
  namesake = (await dataOf(service, 'POST', path, { name: 'ESP32', source: 'http' })).id;
  await dataOf(service, 'POST', path, { name: 'Wind, gusts', source: 'http' });
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-names-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const exported = (...flags: string[]) =>
  runCli(['records', 'export', '--data', service.directory, '--out', '-', ...flags]);

describe('records export', () => {
  test('writes the same file by names as by ids', async () => {
    const byIds = await exported('--project', world.project_id, '--device', world.device_id);
    expect(byIds.stdout).toContain('"temperature":20.5');
    for (const flags of [
      ['--device', 'Boiler room/ESP32'],
      ['--device', 'boiler room/esp32'],
      ['--project', 'Boiler room', '--device', 'ESP32'],
      ['--project', 'BOILER ROOM', '--device', world.device_id],
      ['--device', world.device_id],
    ])
      expect(await exported(...flags)).toEqual(byIds);
    expect(await exported('--device', 'wind, gusts')).toMatchObject({ code: 0, stdout: '' });
  });

  test('lists what a name could be', async () => {
    const { code, stdout, stderr } = await exported('--device', 'ESP32');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^fieldbench: --device must be one device of the service, got "ESP32", the name of 2/,
    );
    expect(stderr.split('\n').slice(1).toSorted()).toEqual(
      ['', `  ${world.device_id}  Boiler room/ESP32`, `  ${namesake}  Roof/ESP32`].toSorted(),
    );
    const json = await runCli([
      'records',
      'export',
      '--data',
      service.directory,
      '--device',
      'esp32',
      '--json',
    ]);
    expect([json.code, json.stderr, JSON.parse(json.stdout)]).toEqual([
      2,
      '',
      { error: { exit_code: 2, message: expect.stringContaining(`  ${namesake}  Roof/ESP32`) } },
    ]);
  });

  test('names the nearest, and leaves to the service what it says of an unknown id', async () => {
    expect(await exported('--project', 'Rof', '--device', 'ESP32')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('got "Rof". Did you mean "Roof"?'),
    });
    for (const flags of [[], ['--project', 'Roof']])
      expect(await exported(...flags, '--device', world.note_id)).toMatchObject({
        code: 3,
        stderr: 'fieldbench: Device not found.\n',
      });
  });

  test('takes a name that has the form of an id, but the id before it', async () => {
    const path = `/v2/projects/${world.other_project_id}/devices`;
    const tag = 'e2c56db5-dffb-48d2-b060-d0f5a71096e0';
    const beacon = (await dataOf(service, 'POST', path, { name: tag, source: 'http' })).id;
    expect(await exported('--device', tag)).toMatchObject({ code: 0, stdout: '' });
    await dataOf(service, 'POST', path, { name: world.device_id, source: 'http' });
    expect((await exported('--device', world.device_id)).stdout).toContain('"temperature":20.5');
    expect(await exported('--device', beacon)).toMatchObject({ code: 0, stdout: '' });
  });
});

describe.runIf(inFolder)('backup and restore', () => {
  const at = () => ['--data', service.directory];

  test('a backup is of what the service calls so, a restore of what the backup calls so', async () => {
    const file = join(folder, 'room.tar');
    const made = await runCli(['backup', file, '--device', 'Boiler room/ESP32', '--json', ...at()]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toMatchObject({ projects: 1, devices: 1, records: 3 });
    const other = await runService({ vault: 'file' });
    const to = ['--data', other.directory];
    const twice = await runCli(['backup', join(folder, 'twice.tar'), '--device', 'esp32', ...at()]);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining(`  ${namesake}  Roof/ESP32`) });
    const near = await runCli(['restore', file, '--device', 'ESP23', ...to]);
    expect(near).toMatchObject({
      code: 2,
      stderr:
        'fieldbench: --device must be the name or id of a device of the backup, got "ESP23". Did you mean "ESP32"?\n',
    });
    const elsewhere = await runCli(['restore', file, '--project', 'Roof', ...to]);
    expect(elsewhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('of the backup, got "Roof"'),
    });
    const back = await runCli(['restore', file, '--device', 'esp32', '--json', ...to]);
    expect(JSON.parse(back.stdout)).toMatchObject({ devices: { new: 1 }, records: { new: 3 } });
    expect(await dataOf(other, 'GET', `/v2/projects/${world.project_id}/devices`)).toMatchObject([
      { id: world.device_id },
    ]);
    await other.stop();
    expect(await readdir(folder)).toEqual(['room.tar']);
  });

  test('a name in what is no backup is refused as the file itself is', async () => {
    const file = join(service.directory, 'metadata.json');
    const wrong = await runCli(['restore', file, '--device', 'x', ...at()]);
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toMatch(/must be a whole backup, as a tar file/);
    expect(await runCli(['restore', file, ...at()])).toEqual(wrong);
  });
});
