import { spawnSync } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseServeFlags } from '#core/cli/flags.ts';
import { configOf } from '#core/cli/serve/configure.ts';
import { MEMORY_DIRECTORY } from '#core/disk/memory/memory-disk.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import {
  COMMAND_LINE,
  runCli,
  startServiceProcess,
  type CommandLine,
  type ServiceProcess,
} from '../../helpers/service/service-process.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-memory-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('--in-memory', () => {
  test('is a configuration of its own, with no folder of the user, and implies the memory vault', () => {
    const flags = parseServeFlags(['--in-memory']);
    expect(flags).toMatchObject({ inMemory: true, vault: 'memory', directory: null });
    expect(configOf(flags, folder)).toMatchObject({
      directory: MEMORY_DIRECTORY,
      memoryBytes: expect.any(Number) as number,
      vault: 'memory',
    });
    expect(parseServeFlags(['--in-memory', '--vault', 'memory', '--strict']).inMemory).toBe(true);
    expect(configOf(parseServeFlags(['--data', folder]), folder)).toMatchObject({
      directory: folder,
      memoryBytes: null,
    });
  });

  test.each([
    ['--data', './rig'],
    ['--store', 'postgres://u@h/d'],
    ['--vault', 'file'],
    ['--vault', 'keychain'],
    ['--vault', 'auto'],
  ])('does not go with %s %s, and both are named', (flag, value) => {
    const parse = () => parseServeFlags(['--in-memory', flag, value]);
    expect(parse).toThrow(/^--in-memory keeps nothing beyond the end of the service, and --/);
    expect(parse).toThrow(flag);
  });

  test('of other commands is unknown; they say that they do not find such a service', async () => {
    const { code, stderr } = await runCli(['status', '--data', join(folder, 'nothing')]);
    expect(code).toBe(4);
    expect(stderr).toContain('One that runs with --in-memory has no folder');
    expect(await runCli(['stop', '--in-memory'])).toMatchObject({ code: 2 });
  });
});

/** What a test of a rig does, by every door: nothing of it may reach the disk. */
async function useAll(service: ServiceProcess): Promise<void> {
  const { info } = service;
  const data = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const envelope = await service.call<T>(method, path, body);
    expect(envelope.success, envelope.message).toBe(true);
    return envelope.data as T;
  };
  const { id: project } = await data<{ id: string }>('POST', '/_local/v1/projects', { name: 'Rig' });
  const made = async (source: string) => {
    const device = await data<{ id: string; metadata: { device_token: string } }>(
      'POST',
      `/v2/projects/${project}/devices`,
      { name: source, source },
    );
    return { id: device.id, token: device.metadata.device_token };
  };
  const [http, mqtt] = [await made('http'), await made('mqtt')];
  // Long enough for a thread.
  const lines = Array.from(
    { length: 80_000 },
    (_, n) => `{"timestamp":"${new Date(1_772_000_000_000 + n * 1000).toISOString()}","celsius":${n % 40}}`,
  );
  const stored = await service.fetch('/integrations/http', {
    method: 'POST',
    headers: { authorization: `Bearer ${http.token}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  expect(stored.status, await stored.text()).toBe(200);
  const client = await connectAsync(info.mqtt_url ?? '', {
    username: mqtt.id,
    password: mqtt.token,
    clean: false,
    clientId: 'rig',
    reconnectPeriod: 0,
  });
  await client.subscribeAsync(mqtt.id, { qos: 1 });
  await client.publishAsync(mqtt.id, '{"celsius":21.5}', { qos: 2, retain: true });
  await client.endAsync();

  const device = `/_local/v1/projects/${project}/devices/${http.id}`;
  const file = await service.fetch(`${device}/records?format=csv`);
  expect((await file.text()).split('\n')).toHaveLength(lines.length + 2);
  const imported = await service.fetch(`${device}/records?existing=skip`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.slice(-1000).join('\n'),
  });
  expect(await imported.json()).toMatchObject({ success: true });
  await data('GET', `${device}/statistics`);
  await data('POST', '/_local/v1/storage/check');
  const { undo } = await data<{ undo: { id: string } }>('DELETE', `${device}/records`);
  await data('POST', `/_local/v1/undo/${undo.id}`, {});
  const backup = await service.fetch('/_local/v1/backup');
  const restored = await service.fetch('/_local/v1/restore', {
    method: 'POST',
    headers: { 'content-type': 'application/x-tar' },
    body: new Uint8Array(await backup.arrayBuffer()),
  });
  const answer = (await restored.json()) as Envelope<{ records: object }>;
  expect(answer.data?.records, answer.message).toMatchObject({ new: 0, same: 80_001 });
  await data('PATCH', '/_local/v1/doors', { network: false });
  if (info.console_url !== null) {
    const page = await fetch(info.console_url, { redirect: 'manual' });
    expect(page.status).toBe(303);
  }
  expect(await data<ServiceStatus>('GET', '/_local/v1/status')).toMatchObject({
    in_memory: true,
    data_directory: null,
    ca_file: null,
    vault: 'memory',
    vault_reason: '--in-memory says so',
    counts: { projects: 1, devices: 2 },
  });
}

/** Whether programs can be watched here. */
const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
const CALLS = [
  'open',
  'openat',
  'openat2',
  'creat',
  'mkdir',
  'mkdirat',
  'mknod',
  'mknodat',
  'rename',
  'renameat',
  'renameat2',
  'link',
  'linkat',
  'symlink',
  'symlinkat',
  'unlink',
  'unlinkat',
  'rmdir',
  'truncate',
  'bind',
];

/** Calls that change something on a disk: what they name, quoted, and how. */
async function changesIn(trace: string): Promise<string[]> {
  const lines = (await readFile(trace, 'utf8')).split('\n');
  return lines.filter((line) => {
    if (/ = -1 E/.test(line) || !line.includes('"')) return false;
    const opens = /^\d+ +open(at2?)?\(/.test(line);
    if (/"\/(dev|proc|sys)\//.test(line)) return false;
    if (/^\d+ +bind\(/.test(line)) return line.includes('sun_path');
    return opens ? /O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)/.test(line) : true;
  });
}

describe('a service in memory', () => {
  test('does all that another one does, and leaves nothing where programs keep things', async () => {
    const home = join(folder, 'home');
    await mkdir(home);
    const readyFile = join(folder, 'ready.json');
    const trace = join(folder, 'trace');
    // As a grandchild, so that the service is the process that was started.
    const traced = ['strace', '-D', '-f', '-qq', '-s', '300', '-e', `trace=${CALLS.join(',')}`, '-o', trace];
    const cli = (canTrace ? [...traced, ...COMMAND_LINE] : COMMAND_LINE) as unknown as CommandLine;
    const env = {
      HOME: home,
      TMPDIR: home,
      XDG_DATA_HOME: home,
      XDG_RUNTIME_DIR: home,
      XDG_CONFIG_HOME: home,
    };
    const service = await startServiceProcess({
      args: ['--in-memory'],
      readyFile,
      cli,
      // What Node compiles is kept for other tests.
      env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1', NODE_COMPILE_CACHE: '' },
    });
    expect(service.info).toMatchObject({
      ca_file: null,
      ca_certificate: expect.stringContaining('BEGIN CERTIFICATE') as string,
    });
    await useAll(service);
    await expect.poll(() => service.output()).toContain('in memory: all is gone when the service ends');
    expect(await readdir(home)).toEqual([]);
    expect(await service.stop()).toBe(0);
    expect(await readdir(home)).toEqual([]);
    await expect(access(MEMORY_DIRECTORY)).rejects.toMatchObject({ code: 'ENOENT' });
    if (!canTrace) return;
    const own = new RegExp(`"(${dirname(readyFile)}/)?${basename(readyFile)}`);
    expect((await changesIn(trace)).filter((line) => !own.test(line))).toEqual([]);
  });

  test('begins anew with each start, its certificate authority included', async () => {
    const first = await startServiceProcess({ args: ['--in-memory'] });
    await first.call('POST', '/_local/v1/projects', { name: 'Gone' });
    await first.stop();
    const second = await startServiceProcess({ args: ['--in-memory'] });
    expect((await second.call('GET', '/v2/projects')).data).toEqual([]);
    expect(second.info.ca_certificate).not.toBe(first.info.ca_certificate);
    expect(second.info.api_key).not.toBe(first.info.api_key);
    await second.stop();
  });
});
