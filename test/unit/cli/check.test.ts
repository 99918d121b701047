import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireLock } from '#core/disk/lock/lock.ts';
import { openLog } from '#core/store/log/log.ts';
import { runService } from '../../helpers/service/running-service.ts';
import { startServiceProcess } from '../../helpers/service/service-process.ts';
import { counting } from '../../suites/record-store/harness.ts';
import { CLI_SCRIPT } from '../../helpers/service/scripts.ts';

/* `fieldbench check`, as somebody runs it. */

const RECORDS = 3000;

interface Answer {
  readonly code: number;
  readonly stdout: string;
  /** With what goes to stderr. */
  readonly output: string;
}

function check(...flags: string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [CLI_SCRIPT, 'check', ...flags], (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, output: stdout + stderr });
      else reject(error ?? new Error('It did not end by itself.'));
    });
  });
}

describe('fieldbench check', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fieldbench-check-'));
    const store = await openLog({ directory: join(directory, 'data') });
    const batch = await store.batch('d');
    await batch.add(counting(0, RECORDS));
    await batch.commit();
    await store.close();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** Flips a bit in the middle of the first block of the device's segment; answers the file's name. */
  async function damage(): Promise<string> {
    const folder = join(directory, 'data', 'd');
    const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.seg'));
    const bytes = await readFile(join(folder, name));
    bytes.writeUInt8(bytes.readUInt8(100) ^ 8, 100);
    await writeFile(join(folder, name), bytes);
    return join('d', name);
  }

  test('says that nothing is damaged, and leaves nothing behind', async () => {
    const before = await readdir(directory);
    const { code, output } = await check('--data', directory);
    expect(output).toContain(' of 1 device: 3,000 records');
    expect(output).toContain('Nothing is damaged.');
    expect(code).toBe(0);
    expect(await readdir(directory)).toEqual(before);
  });

  test('names the damaged file, changes nothing, and exits with 1', async () => {
    const file = await damage();
    const bytes = await readFile(join(directory, 'data', file));
    const { code, output } = await check('--data', directory);
    expect(output).toContain(`${file}: Block 0 is damaged`);
    expect(output).toContain('--repair');
    expect(code).toBe(1);
    expect(await readFile(join(directory, 'data', file))).toEqual(bytes);
  });

  test('with --repair sets the damage aside: the rest is whole, and the next check finds nothing', async () => {
    await damage();
    expect(await check('--data', directory, '--repair')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Repaired; some records are lost.') as string,
    });
    expect(await check('--data', directory)).toMatchObject({ code: 0 });
    const store = await openLog({ directory: join(directory, 'data') });
    const left = await store.count('d');
    expect(left).toBeGreaterThan(RECORDS / 2);
    expect(left).toBeLessThan(RECORDS);
    expect(store.recovery).toEqual([]);
    await store.close();
  });

  test('cannot where somebody uses the folder who does not answer, and says so with another code than of damage', async () => {
    // It takes connections, and nobody is there to answer them.
    const lock = await acquireLock(directory);
    lock.serve((socket) => socket.destroy());
    const { code, output } = await check('--data', directory);
    expect(output).toContain(`process ${process.pid}`);
    expect(code).toBe(4);
    const repair = await check('--data', directory, '--repair');
    expect(repair.output).toContain('--repair needs the directory for itself');
    expect(repair.code).toBe(3);
    await lock.release();
  });

  test('asks the service that uses the folder, which goes on with its work', async () => {
    const running = await runService({ directory });
    const whole = await check('--data', directory);
    expect([whole.code, whole.stdout]).toEqual([
      0,
      expect.stringMatching(/ of 1 device: 3,000 records the service has\.\nNothing is damaged\.\n$/),
    ]);
    const file = await damage();
    const { code, stdout } = await check('--data', directory, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      expect.objectContaining({
        by_service: true,
        damaged: 1,
        findings: [expect.objectContaining({ file, message: expect.stringContaining('Block 0 is damaged') })],
      }),
    ]);
    const repair = await check('--data', directory, '--repair');
    expect([repair.code, repair.output]).toEqual([3, expect.stringContaining('fieldbench stop')]);
    await running.stop();
  });

  test('counts what a killed service had in its log alone', async () => {
    const killed = await startServiceProcess({ directory });
    const made = await killed.call<{ id: string }>('POST', '/_local/v1/projects', { name: 'Plant' });
    const { data } = await killed.call<{ metadata: { device_token: string } }>(
      'POST',
      `/v2/projects/${made.data?.id}/devices`,
      { name: 'Pump', source: 'http' },
    );
    const stored = await killed.fetch('/integrations/http', {
      method: 'POST',
      headers: { authorization: `Bearer ${data?.metadata.device_token}` },
      body: JSON.stringify(Array.from({ length: 5 }, (_, n) => ({ n }))),
    });
    expect(stored.status).toBe(200);
    await killed.kill();
    const again = await startServiceProcess({ directory });
    expect((await check('--data', directory)).stdout).toContain(
      ' of 2 devices: 3,005 records the service has.',
    );
    await again.stop();
  });

  test('refuses a folder that is none of ours, and touches nothing in it', async () => {
    const other = join(directory, 'photos');
    await mkdir(other);
    expect(await check('--data', other)).toMatchObject({
      code: 2,
      output: expect.stringContaining('holds no records of Fieldbench') as string,
    });
    expect(await readdir(other)).toEqual([]);
    expect(await check('--data', join(directory, 'missing'))).toMatchObject({ code: 2 });
  });

  test.each([[[]], [['--repair']]])(
    'names records in the plain log and leaves them alone (%j)',
    async (flags) => {
      const old = join(directory, 'old');
      const path = join(old, 'data', 'boiler', '1-1.log');
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, 'FIELDLOG');
      const { code, output } = await check('--data', old, ...flags);
      expect(output).toContain(`${path} is of the plain log`);
      expect(code).toBe(1);
      expect((await readdir(old, { recursive: true })).toSorted()).toEqual(
        ['data', 'data/boiler', 'data/boiler/1-1.log'].map((name) => join(name)),
      );
      expect(await readFile(path, 'utf8')).toBe('FIELDLOG');
    },
  );

  test('explains a line that makes no sense', async () => {
    expect(await check('--mend')).toMatchObject({
      code: 2,
      output: expect.stringContaining('--mend') as string,
    });
  });
});
