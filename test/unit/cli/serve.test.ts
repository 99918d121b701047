import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import {
  COMMAND_LINE,
  runCli,
  spawnCli,
  startServiceProcess,
} from '../../helpers/service/service-process.ts';

/* The command line as a rig uses it: real processes, run from source. */

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-cli-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const isThere = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

describe('serve', () => {
  test.runIf(process.platform === 'linux')(
    'goes on where what it says goes to a full disk, and stops in order',
    async () => {
      const [program, ...first] = COMMAND_LINE;
      const onFullDisk = ['sh', '-c', 'exec "$@" >/dev/full 2>&1', 'sh', program, ...first] as const;
      const service = await startServiceProcess({ cli: onFullDisk });
      expect(await service.call('GET', '/v2/projects')).toMatchObject({ status: 200 });
      expect(await service.stop()).toBe(0);
    },
  );

  test('says where it is in a ready file of its own, and takes it away when it stops', async () => {
    const readyFile = join(folder, 'ready.json');
    await writeFile(readyFile, '{"base_url":"of one that was killed"}');
    const service = await startServiceProcess({ readyFile });
    expect(service.info).toEqual({
      version: packageJson.version,
      pid: expect.any(Number),
      base_url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      http_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      mqtt_url: expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:\d+$/),
      mqtts_url: null,
      ca_file: join(service.directory, 'tls/ca.pem'),
      console_url: service.info.console_url,
      account_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      api_key: expect.stringMatching(/^fb_[0-9A-Za-z]{40}$/),
    });
    expect((await stat(readyFile)).mode & 0o777).toBe(0o600);
    const { http_url, base_url, mqtt_url } = service.info;
    const webSocketUrl = base_url.replace('https:', 'wss:');
    // The file may be there before what was written arrives through the pipe.
    for (const line of [base_url, http_url, mqtt_url, `${webSocketUrl}/mqtt`, service.directory])
      await expect.poll(() => service.output()).toContain(line);
    expect(service.output()).not.toContain(service.info.api_key);
    expect(await service.stop()).toBe(0);
    expect(await isThere(readyFile)).toBe(false);
  });

  test('says what it was told to in place of its addresses, and where its console opens', async () => {
    const service = await startServiceProcess({
      args: ['--greeting', 'It runs at {console}, once: {console}'],
    });
    await expect.poll(() => service.output()).toMatch(/^It runs at (http\S+), once: \1$/m);
    expect(service.output()).not.toContain('Fieldbench is ready');
    expect(await service.stop()).toBe(0);
  });

  test('makes no other authority for a --host that is not this machine’s', async () => {
    const directory = join(folder, 'misspelt');
    const flags = ['--vault', 'file'];
    await (await startServiceProcess({ directory, args: flags })).stop();
    const authority = await readFile(join(directory, 'tls/ca.pem'), 'utf8');
    const host = '192.0.2.1';
    const args = ['serve', '--data', directory, '--port', '0', '--http-port', '0', '--host', host, ...flags];
    const { code, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([1, `fieldbench: --host ${host} is not an address of this machine.\n`]);
    expect(await readFile(join(directory, 'tls/ca.pem'), 'utf8')).toBe(authority);
  });

  test('answers over HTTPS that its CA file makes trusted, to Node and to curl, and over plain HTTP', async () => {
    const service = await startServiceProcess();
    const { api_key, ca_file, base_url, http_url } = service.info;
    expect(await service.call('GET', '/v2/projects')).toMatchObject({ status: 200, data: [] });
    const created = await service.call<{ id: string }>('POST', '/_local/v1/projects', {
      name: 'Boiler room',
    });
    const headers = ['-H', `Authorization: Bearer ${api_key}`];
    for (const flags of [
      ['--cacert', ca_file ?? '', `${base_url}/v2/projects`],
      [`${http_url}/v2/projects`],
    ]) {
      const { stdout } = await promisify(execFile)('curl', ['-sS', '--noproxy', '*', ...headers, ...flags]);
      expect(JSON.parse(stdout)).toMatchObject({ data: [{ id: created.data?.id, name: 'Boiler room' }] });
    }
    await service.stop();
  });

  test('says where secrets are, why, and who can read them: at the start and in its status', async () => {
    const directory = join(folder, 'told');
    const args = ['--vault', 'file'];
    const first = await startServiceProcess({ directory, args });
    const warning = /Whoever can read the data directory can read its secrets.*vault\.key/;
    await expect.poll(() => first.output()).toMatch(warning);
    expect(first.output()).toMatch(/secrets +in encrypted files of the data directory: --vault file says so/);
    expect((await first.call('GET', '/_local/v1/status')).data).toMatchObject({
      vault: 'file',
      vault_reason: '--vault file says so',
      vault_warning: expect.stringMatching(warning),
    });
    await first.stop();
    const env = { FIELDBENCH_PASSPHRASE: 'correct horse' };
    const second = await startServiceProcess({ directory, args: ['--vault', 'auto'], env });
    expect(second.info.api_key).toBe(first.info.api_key);
    expect((await second.call('GET', '/_local/v1/status')).data).toMatchObject({
      vault: 'file',
      vault_reason: expect.stringContaining('already'),
      vault_warning: null,
    });
    await second.stop();
  });

  test('keeps what it was told over a kill', async () => {
    const directory = join(folder, 'kept');
    const first = await startServiceProcess({ directory });
    await first.call('POST', '/_local/v1/projects', { name: 'Kept' });
    await first.kill();
    const second = await startServiceProcess({ directory });
    expect(await second.call('GET', '/v2/projects')).toMatchObject({ data: [{ name: 'Kept' }] });
    await second.stop();
  });

  test('has only the document with --strict', async () => {
    const service = await startServiceProcess({ args: ['--strict'] });
    expect((await service.fetch('/v2/projects')).status).toBe(200);
    expect((await service.fetch('/_local/v1/status')).status).toBe(404);
    expect(service.info.console_url).toBeNull();
    await service.stop();
  });

  test('has one plain door with --tls off, and no certificate', async () => {
    const service = await startServiceProcess({ args: ['--tls', 'off'] });
    expect(service.info.base_url).toMatch(/^http:/);
    expect(service.info).toMatchObject({ http_url: service.info.base_url, ca_file: null });
    expect((await service.fetch('/v2/projects')).status).toBe(200);
    expect(await isThere(join(service.directory, 'tls'))).toBe(false);
    await service.stop();
  });

  test('has the certificate that it is given, makes none, and stops before it starts where that fits no key', async () => {
    const names = { dns: ['localhost'], ips: ['127.0.0.1'] };
    const authority = createAuthority(names, Date.now());
    const { cert, key } = issueServer(authority, names, Date.now());
    const [chain, own, other] = ['chain.pem', 'own.pem', 'other.pem'].map((name) => join(folder, name));
    await writeFile(chain ?? '', cert + authority.cert);
    await writeFile(own ?? '', key);
    await writeFile(other ?? '', authority.key);
    const given = ['--tls-cert', chain ?? '', '--tls-key'];
    const service = await startServiceProcess({ args: [...given, own ?? ''] });
    expect(service.info).toMatchObject({ base_url: expect.stringMatching(/^https:/), ca_file: chain });
    expect((await service.fetch('/v2/projects')).status).toBe(200);
    expect(await isThere(join(service.directory, 'tls'))).toBe(false);
    await service.stop();
    const wrong = await runCli(['serve', '--data', join(folder, 'wrong'), ...given, other ?? '']);
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain(`--tls-key ${other} is not the key of the first certificate in ${chain}`);
  });

  test('has HTTPS alone with --http-port off', async () => {
    const service = await startServiceProcess({ args: ['--http-port', 'off'] });
    expect(service.info.http_url).toBeNull();
    await service.stop();
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends with 0 at %s, though connections are open, and leaves nothing behind',
    async (signal) => {
      const directory = join(folder, signal);
      const readyFile = join(folder, `${signal}.json`);
      const service = await startServiceProcess({ directory, readyFile });
      const idle = connect(Number(new URL(service.info.http_url ?? '').port), '127.0.0.1');
      idle.on('error', () => {});
      await once(idle, 'connect');
      await service.fetch('/v2/projects');
      const asked = performance.now();
      expect(await service.stop(signal)).toBe(0);
      expect(performance.now() - asked).toBeLessThan(30_000);
      idle.destroy();
      expect(await isThere(readyFile)).toBe(false);
      const left = (await readdir(directory)).filter((name) => /^(lock\.|control\.sock)/.test(name));
      expect(left).toEqual([]);
    },
  );
});

describe('serve whose terminal is gone', () => {
  test('is not ended by hang-ups that come again and again', async () => {
    const service = await startServiceProcess({ directory: join(folder, 'hung-up') });
    const ends = service.stop('SIGHUP');
    const again = setInterval(() => {
      try {
        process.kill(service.pid, 'SIGHUP');
      } catch {
        // It has ended.
      }
    }, 1);
    expect(await ends).toBe(0);
    clearInterval(again);
  });

  test('stops in order though nobody reads what it says', async () => {
    const directory = join(folder, 'unheard');
    const args = ['serve', '--vault', 'memory', '--port', '0', '--http-port', '0', '--data', directory];
    const child = spawnCli(args);
    // Ready, and the reader leaves.
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stderr.destroy();
    const exit = once(child, 'exit');
    child.kill('SIGHUP');
    expect(await exit).toEqual([0, null]);
    expect((await readdir(directory)).filter((name) => name.startsWith('lock.'))).toEqual([]);
  });
});
