import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runCli, startServiceProcess } from '../../helpers/service/service-process.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';
import { entriesOf, lastOf, trailOf } from './told.ts';

/* docs/running.md, "Verify": the audit trail, by the command line. */

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fileOf = async (text: string): Promise<string> => {
  const file = join(folder, 'audit.ndjson');
  await writeFile(file, text);
  return file;
};

describe.runIf(inFolder)('of a service that runs', () => {
  let service: RunningService;
  let world: World;
  beforeEach(async () => {
    service = await runService({}, { isAlone: true });
    world = await createWorld(service);
  });
  afterEach(() => service.stop());

  const cli = (...words: string[]) => runCli([...words, '--data', service.directory]);

  test('it is verified by the service, which says its end', async () => {
    const { code, stdout, stderr } = await cli('verify');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^The audit trail of the service: \d+ entries\.\nIt is as it was written\.\n/);
    const json = JSON.parse((await cli('verify', '--json')).stdout) as { last: number; hash: string };
    expect(json).toMatchObject({ what: 'the service', first: 1, harmed: 0, findings: [], remark: null });
    expect(stdout).toContain(`Its last entry is ${json.last}, with the SHA-256 ${json.hash}.`);
  });

  test('a change by the command line is told as such, and listed by the name of what it is about', async () => {
    expect((await cli('devices', 'delete', '--device', 'ESP32')).code).toBe(0);
    const { entries } = await entriesOf(service, { by: 'command line' });
    expect(entries.map(({ operation }) => operation)).toContain('devices.remove');
    const listed = await cli('audit', 'list', '--project', 'Boiler room', '--operation', 'devices.remove');
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toMatch(/command line \S+ +devices\.remove +Boiler room\/ESP32/);
    const wrong = await cli('audit', 'list', '--limit', '0');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/--limit must be a whole number from 1 to 200/),
    ]);
  });

  test('it is exported as it is kept, nothing is written over, and the file is verified', async () => {
    await dataOf(service, 'PATCH', `/_local/v1/projects/${world.project_id}`, { name: 'Boiler room 2' });
    const file = join(folder, 'out.ndjson');
    const exported = await cli('audit', 'export', '--out', file);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    expect(await readFile(file, 'utf8')).toBe(await trailOf(service));
    expect(await cli('audit', 'export', '--out', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is there already'),
    });
    const verified = await runCli(['verify', file]);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    expect(verified.stdout).toContain(`Its last entry is ${await lastOf(service)}`);
    expect(verified.stdout).toContain('A file does not say whether its last lines are missing');
  });

  test('one line that is gone, changed, moved or spoiled in a file is named', async () => {
    const lines = (await trailOf(service)).trimEnd().split('\n');
    const harmed = async (changed: readonly string[]) =>
      runCli(['verify', await fileOf(`${changed.join('\n')}\n`)]);
    const [third = '', fourth = ''] = lines.slice(2);
    expect(await harmed(lines.toSpliced(2, 1))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Entry 3 is missing'),
    });
    expect(await harmed(lines.with(2, third.replace('"done"', '"d0ne"')))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('line 3: entry 3 was changed.'),
    });
    expect(await harmed(lines.with(2, fourth).with(3, third))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/line [34]: entry [34] does not stand where its number says/),
    });
    expect(await harmed(lines.with(2, third.slice(1)))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('line 3: entry 3 cannot be read.'),
    });
  });
});

test('what is no trail is refused, with what is right', async () => {
  const other = await fileOf('something else');
  expect(await runCli(['verify', other])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('verify takes a package, an exported audit trail or a data directory'),
  });
  expect(await runCli(['verify', folder])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is no data directory of Fieldbench'),
  });
  expect(await runCli(['verify', join(folder, 'none')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('verify takes a file or a folder that is there'),
  });
  expect(await runCli(['verify', other, '--data', folder])).toMatchObject({ code: 2 });
});

describe('of a data directory that no service uses', () => {
  test(
    'it is verified by the command, which names a harm to its files; repairs are told',
    { timeout: 120_000 },
    async () => {
      const directory = join(folder, 'data');
      const service = await startServiceProcess({ directory, args: ['--vault', 'file'], env: PASSPHRASE });
      for (const name of ['A', 'B', 'C']) await service.call('POST', '/_local/v1/projects', { name });
      expect(await service.stop()).toBe(0);
      const whole = await runCli(['verify', directory]);
      expect([whole.code, whole.stderr]).toEqual([0, '']);
      expect(whole.stdout).toContain(`The audit trail of ${directory}`);
      expect((await runCli(['check', '--data', directory, '--repair'])).code).toBe(0);
      const file = join(directory, 'audit', '0000000001.ndjson');
      const text = await readFile(file, 'utf8');
      expect(text).toContain('"operation":"check.repair"');
      expect((await runCli(['verify', '--data', directory])).code).toBe(0);
      const lines = text.trimEnd().split('\n');
      await writeFile(
        file,
        `${lines.with(1, lines[1]?.replace('"A"', '"X"').replace('"B"', '"X"') ?? '').join('\n')}\n`,
      );
      const harmed = await runCli(['verify', '--data', directory, '--json']);
      expect(harmed.code).toBe(1);
      expect(JSON.parse(harmed.stdout)).toMatchObject({
        harmed: 1,
        findings: [{ harm: 'changed', from: 2, to: 2, place: 'audit/0000000001.ndjson, line 2' }],
      });
      // The service says the same, and what it tells from now on is behind it.
      const again = await startServiceProcess({ directory, args: ['--vault', 'file'], env: PASSPHRASE });
      const asked = await again.call<{ harmed: number }>('GET', '/_local/v1/audit/verify');
      expect(asked.data?.harmed).toBe(1);
      expect(await again.stop()).toBe(0);
    },
  );
});

const PASSPHRASE = { FIELDBENCH_PASSPHRASE: 'correct horse' };
