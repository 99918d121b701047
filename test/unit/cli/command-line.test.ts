import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { runCli, startServiceProcess } from '../../helpers/service/service-process.ts';

/* What the command line refuses, and what it says of itself: real processes. */

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-cli-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('serve cannot start', () => {
  const start = async (...flags: string[]) => {
    const directory = await mkdtemp(join(folder, 'data-'));
    return runCli([
      'serve',
      '--vault',
      'memory',
      '--port',
      '0',
      '--http-port',
      '0',
      '--data',
      directory,
      ...flags,
    ]);
  };

  test('where the port is busy', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    for (const flag of ['--port', '--http-port', '--mqtt-port', '--mqtts-port']) {
      const { code, stderr } = await start(flag, String(port));
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^fieldbench: Port ${port} .*${flag} N .*\n$`)),
      ]);
    }
    holder.close();
  });

  test('where another one has the folder, whose pid it names', async () => {
    const directory = join(folder, 'shared');
    const first = await startServiceProcess({ directory });
    const { code, stderr } = await start('--data', directory);
    expect(code).toBe(1);
    expect(stderr).toContain(`process ${first.pid})`);
    expect(stderr).toContain('fieldbench open');
    await first.stop();
  });

  test('where the ready file cannot be written, and leaves no half-started service', async () => {
    const { code, stderr } = await start('--ready-file', join(folder, 'nowhere/ready.json'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^fieldbench: The ready file .*--ready-file F\.\n$/),
    ]);
    expect((await start('--ready-file', folder)).stderr).toMatch(/^fieldbench: The ready file .*\n$/);
  });

  test('where the passphrase of the file vault is missing', async () => {
    const directory = join(folder, 'locked');
    const env = { FIELDBENCH_PASSPHRASE: 'correct horse' };
    const first = await startServiceProcess({ directory, args: ['--vault', 'file'], env });
    await first.stop();
    const { code, stderr } = await start('--vault', 'auto', '--data', directory);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^fieldbench: .*FIELDBENCH_PASSPHRASE.*\n$/)]);
  });
});

describe('the command line', () => {
  test.each([
    [['serve', '--prot', '1'], "'--prot'"],
    [['serve', '--host', '0.0.0.0', '--tls', 'off'], 'needs --tls on'],
    [['serve', '--mqtts-port', '1883', '--tls', 'off'], "needs the service's certificate"],
    [['explode'], 'There is no command "explode"'],
  ])('refuses %j in one line, with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^fieldbench: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  test('helps, and tells its version', async () => {
    for (const [args, words] of [
      [[], 'fieldbench serve'],
      [['--help'], 'fieldbench serve'],
      [['serve', '--help'], '--ready-file F'],
    ] as const) {
      const { code, stdout } = await runCli(args);
      expect([code, stdout]).toEqual([0, expect.stringContaining(words)]);
    }
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });
});
