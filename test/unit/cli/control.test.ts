import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { request, type IncomingMessage } from 'node:http';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserOpener } from '#core/cli/ask/browser.ts';
import { acquireLock } from '#core/disk/lock/lock.ts';
import { runService } from '../../helpers/service/running-service.ts';
import { runCli, startServiceProcess } from '../../helpers/service/service-process.ts';

/* The commands that talk to a running service, as people and scripts use them: real processes. */

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-control-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** No display: the browser of whoever runs the tests stays shut. */
const HEADLESS = { DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '' };
const cli = (...args: string[]) => runCli(args, HEADLESS);

const isThere = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

/** A built renderer, as far as the console needs one. */
async function builtApp(): Promise<string> {
  const renderer = join(folder, 'renderer');
  await mkdir(renderer, { recursive: true });
  await writeFile(join(renderer, 'index.html'), '<!doctype html>');
  return renderer;
}

describe('fieldbench open', () => {
  test('prints an address that opens the console once, as often as it is asked', async () => {
    const running = await runService({ rendererDirectory: await builtApp() });
    const { directory } = running;
    const first = await cli('open', '--print', '--data', directory);
    const second = await cli('open', '--data', directory);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect([second.code, second.stderr]).toEqual([0, expect.stringContaining('within ten minutes')]);
    for (const { stdout } of [first, second]) {
      const url = stdout.trim();
      const answers = [await fetch(url, { redirect: 'manual' }), await fetch(url, { redirect: 'manual' })];
      expect(answers.map(({ status }) => status)).toEqual([303, 403]);
    }
    const { stdout } = await cli('open', '--json', '--print', '--data', directory);
    expect(JSON.parse(stdout)).toEqual({
      window: false,
      console_url: expect.stringContaining('/console/open?token='),
    });
    await running.stop();
  });

  test('is refused, with exit code 3, where there is no console', async () => {
    const service = await startServiceProcess({ args: ['--strict'] });
    const { code, stdout, stderr } = await cli('open', '--data', service.directory);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^fieldbench: This service has no console[^\n]+\n$/);
    await service.stop();
  });

  test('opens it in a browser with the address as one argument', async () => {
    const running = await runService({ rendererDirectory: await builtApp() });
    const { directory } = running;
    const bin = await mkdtemp(join(folder, 'bin-'));
    const seen = join(bin, 'seen');
    await writeFile(
      join(bin, 'xdg-open'),
      `#!/bin/sh\nprintf '%s|' "$@" > ${seen}.part && mv ${seen}.part ${seen}\n`,
    );
    await chmod(join(bin, 'xdg-open'), 0o755);
    const env = { ...HEADLESS, DISPLAY: ':9', PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const { code, stdout } = await runCli(['open', '--data', directory], env);
    expect(code).toBe(0);
    await expect.poll(() => isThere(seen), { timeout: 20_000 }).toBe(true);
    expect(await readFile(seen, 'utf8')).toBe(`${stdout.trim()}|`);
    await running.stop();
  });
});

describe('fieldbench status', () => {
  test('says in a table, or as JSON, what runs and where', async () => {
    const service = await startServiceProcess();
    const { info, directory } = service;
    const table = await cli('status', '--data', directory);
    expect(table.code).toBe(0);
    for (const part of [
      `process ${info.pid}`,
      info.base_url,
      info.http_url ?? '',
      directory,
      'memory',
      '1 account, 0 projects, 0 devices',
    ])
      expect(table.stdout).toContain(part);
    const { code, stdout } = await cli('status', '--json', `--data=${directory}`);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ pid: info.pid, base_url: info.base_url, data_directory: directory }),
    ]);
    expect(table.stdout + stdout).not.toContain(info.api_key);
    await service.stop();
  });
});

describe('fieldbench stop', () => {
  test('is back when the service has ended, with 0 and nothing left behind', async () => {
    const readyFile = join(folder, 'stopped.json');
    const directory = join(folder, 'stopped');
    const service = await startServiceProcess({ directory, readyFile });
    expect(await cli('stop', '--data', directory)).toEqual({ code: 0, stdout: 'Stopped.\n', stderr: '' });
    const left = await readdir(directory);
    expect(left.filter((name) => /^(lock\.|control\.sock)/.test(name))).toEqual([]);
    // The same start is possible at once.
    const again = await startServiceProcess({ directory });
    expect(await again.stop()).toBe(0);
    expect(await service.stop()).toBe(0);
    expect(await isThere(readyFile)).toBe(false);
  });

  test('lets balancers go elsewhere first, where that is to take a while; requests are answered until then', async () => {
    const service = await startServiceProcess({ args: ['--drain', '600'] });
    const { directory } = service;
    const readiness = () => service.fetch('/readyz', { headers: { authorization: null } });
    const ready = await readiness();
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { success: true, action: 'probe', status: 200, message: 'Ready.', data: { state: 'ready' } },
    ]);
    const stopped = cli('stop', '--data', directory);
    await expect.poll(async () => (await readiness()).status).toBe(503);
    const draining = await readiness();
    expect(draining.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await draining.json()).toMatchObject({ success: false, message: 'The service is stopping.' });
    const answered = await service.fetch('/v2/projects');
    expect([answered.status, answered.headers.get('connection')]).toEqual([200, 'close']);
    // Who has no patience for ten minutes.
    expect(await service.stop()).toBe(0);
    expect(await stopped).toEqual({
      code: 0,
      stdout: 'Stopped.\n',
      stderr: expect.stringContaining('answers on for 600 s'),
    });
  });

  test('is refused where whoever runs the service did not foresee it', async () => {
    const running = await runService();
    const { directory } = running;
    expect(await cli('stop', '--data', directory)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('does not let it be stopped'),
    });
    await running.stop();
  });
});

describe.each(['open', 'status', 'stop'])('fieldbench %s', (command) => {
  const unreachable = async (directory: string) => {
    const { code, stdout, stderr } = await cli(command, '--data', directory);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/^fieldbench: [^\n]+\n$/);
    return stderr;
  };

  test('says with exit code 4 that none runs: no folder, an empty one, one of a service that was killed', async () => {
    const killed = join(folder, `killed-${command}`);
    const service = await startServiceProcess({ directory: killed });
    await service.kill();
    for (const directory of [join(folder, 'never'), folder]) {
      const said = await unreachable(directory);
      expect(said).toContain(directory);
      expect(said).toContain('npm start');
    }
    expect(await unreachable(killed)).toContain(`process ${service.pid}`);
  });

  test('says as JSON, too, that none runs, and nothing else', async () => {
    const { code, stdout, stderr } = await cli(command, '--json', '--data', join(folder, 'never'));
    expect([code, stderr]).toEqual([4, '']);
    expect(JSON.parse(stdout)).toEqual({
      error: { exit_code: 4, message: expect.stringContaining('npm start') },
    });
  });

  test('refuses flags that it does not know', async () => {
    expect(await cli(command, '--dat', folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'--dat'"),
    });
  });
});

describe('asking one that does not answer', () => {
  test('says so when it ends before it has started', async () => {
    const directory = join(folder, 'silent');
    const lock = await acquireLock(directory);
    lock.serve((socket) => socket.destroy());
    expect(await cli('status', '--data', directory)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/does not answer .*Try again/),
    });
    await lock.release();
  });

  test('answers once it has started, when it is asked during the start', async () => {
    const directory = join(folder, 'early');
    const lock = await acquireLock(directory);
    const asking = cli('status', '--json', '--data', directory);
    const [socket] = await new Promise<[Socket]>((resolve) => lock.serve((one) => resolve([one])));
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 32\r\n\r\n{"success":true,"data":{"a":1}}\n'),
    );
    expect(await asking).toMatchObject({ code: 0, stdout: '{"a":1}\n' });
    await lock.release();
  });
});

test.each(['//', '//[', 'http://[/status', '/none'])(
  'the address %s is not found, which is no failure of the service',
  async (path) => {
    const running = await runService();
    const asked = request({ socketPath: join(running.directory, 'control.sock'), path });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await json(answer)]).toEqual([
      404,
      expect.objectContaining({ success: false, status: 404, message: expect.stringContaining('not found') }),
    ]);
    expect(running.logged.filter((line) => line.includes(' error '))).toEqual([]);
    await running.stop();
  },
);

test.skipIf(process.platform === 'win32' || process.getuid?.() !== 0)(
  'the socket is for its owner alone',
  async () => {
    const running = await runService();
    const { directory } = running;
    await chmod(directory, 0o755);
    // As "nobody", who gets as far as the file.
    // It becomes that user once it runs: Node itself may lie where only root may go.
    const script = `
      process.setgroups([]); process.setgid(65534); process.setuid(65534);
      require('net').connect(process.argv[1])
        .on('error', (e) => console.log(e.code)).on('connect', () => { console.log('in'); process.exit() })`;
    const asked = promisify(execFile)(process.execPath, ['-e', script, join(directory, 'control.sock')]);
    expect((await asked).stdout.trim()).toBe('EACCES');
    await running.stop();
  },
);

test('a browser is opened without a shell, and only where someone would see it', () => {
  expect(browserOpener({ platform: 'darwin', env: {} })).toEqual({ command: 'open', args: [] });
  expect(browserOpener({ platform: 'win32', env: {} })?.command).toBe('rundll32');
  expect(browserOpener({ platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' } })?.command).toBe(
    'xdg-open',
  );
  expect(browserOpener({ platform: 'linux', env: { BROWSER: 'remote' } })?.command).toBe('xdg-open');
  expect(browserOpener({ platform: 'linux', env: { DISPLAY: '' } })).toBeNull();
});
