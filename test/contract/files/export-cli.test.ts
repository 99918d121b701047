import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli, spawnCli } from '../../helpers/service/service-process.ts';
import { countOf } from '#shared/values/counts.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { createWorld, type World } from '../world.ts';

/* docs/running.md, "Command line": `fieldbench records export` writes the file that the app and the API make. */

let service: RunningService;
let world: World;
let folder: string;

beforeAll(async () => {
  service = await runService({ workerScript: WORKER_SCRIPT });
});
afterAll(() => service.stop());
beforeEach(async () => {
  world = await createWorld(service);
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const of = (...flags: string[]) => [
  'records',
  'export',
  '--data',
  service.directory,
  '--project',
  world.project_id,
  '--device',
  world.device_id,
  ...flags,
];

async function fromApi(query: string): Promise<Buffer> {
  const path = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/records?${query}`;
  const response = await fetch((service.service.http_url ?? service.service.base_url) + path, {
    headers: { authorization: `Bearer ${service.service.api_key}` },
  });
  return Buffer.from(await response.arrayBuffer());
}

async function fromWindow(input: object): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const { project_id, device_id } = world;
  const envelope = await service.bridge.download(
    'records.export',
    { project_id, device_id, ...input },
    (piece) => void pieces.push(new Uint8Array(piece)),
  );
  expect(envelope.success, envelope.message).toBe(true);
  return Buffer.concat(pieces);
}

const store = (body: unknown) =>
  service.request('POST', '/integrations/http', { key: world.device_token, body });

/** Enough for an export to take a while. */
async function storeMany(): Promise<void> {
  for (let part = 0; part < 6; part++)
    await store(
      Array.from({ length: 50_000 }, (_, i) => ({
        timestamp: (part * 50_000 + i) * 1000,
        wave: Math.sin(part * 50_000 + i),
        state: `state ${i % 7}`,
      })),
    );
}

describe('the same bytes from the app, the API and the command line:', () => {
  test.each([
    [{ format: 'csv' }, ['--format', 'csv']],
    [{ format: 'ndjson' }, []],
    [{ format: 'parquet' }, ['--format', 'parquet']],
    [{ format: 'xlsx', titles: 'shown' }, ['--format', 'xlsx', '--titles', 'shown']],
    [
      {
        format: 'csv',
        keys: 'state,temperature',
        start: '2026-03-02T20:31:00Z',
        end: '2026-03-02T20:32:00Z',
      },
      [
        '--format=csv',
        '--keys=state,temperature',
        '--start=2026-03-02T20:31:00Z',
        '--end=2026-03-02T20:32:00Z',
      ],
    ],
    [
      { format: 'csv', zone: 'Europe/Berlin', delimiter: '\t', decimal_mark: ',', notes: 'keep' },
      ['--format=csv', '--zone=Europe/Berlin', '--delimiter=tab', '--decimal-mark=,', '--notes=keep'],
    ],
  ] as const)('%o', async (input, flags) => {
    const expected = await fromApi(new URLSearchParams({ ...input }).toString());
    expect(expected.length).toBeGreaterThan(20);
    expect((await fromWindow(input)).equals(expected)).toBe(true);
    const out = join(folder, 'out');
    const { code, stdout, stderr } = await runCli(of(...flags, '--out', out));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`${out}: ${countOf(expected.length, 'byte')}.\n`);
    expect((await readFile(out)).equals(expected)).toBe(true);
    expect(await readdir(folder)).toEqual(['out']);
  });

  test('on stdout, too', async () => {
    const child = spawnCli(of('--format', 'parquet', '--out', '-'));
    const [bytes] = await Promise.all([buffer(child.stdout), once(child, 'close')]);
    expect(bytes.equals(await fromApi('format=parquet'))).toBe(true);
  });
});

describe('an export that was cut', () => {
  test('is continued by the same command, wherever that was, and by another one begins anew', async () => {
    const out = join(folder, 'out.csv');
    const expected = await fromApi('format=csv');
    const { length } = expected;
    for (const cut of [40, length]) {
      await leaveCut(out, cut);
      const { code, stdout } = await runCli(of('--format', 'csv', '--out', out, '--json'));
      expect([code, JSON.parse(stdout)]).toEqual([0, { file: out, bytes: length, continued_at: cut }]);
      expect((await readFile(out)).equals(expected)).toBe(true);
      expect(await readdir(folder)).toEqual(['out.csv']);
    }
    await leaveCut(out, 40);
    const other = await runCli(of('--format', 'csv', '--keys', 'state', '--out', out));
    expect(other.stdout).not.toContain('continued');
    expect((await readFile(out)).equals(await fromApi('format=csv&keys=state'))).toBe(true);
    // The records are others by now.
    await leaveCut(out, 40);
    await store({ timestamp: '2026-03-02T20:30:30Z', temperature: 1 });
    const anew = await runCli(of('--format', 'csv', '--out', out));
    expect(anew.stdout).not.toContain('continued');
    expect((await readFile(out)).equals(await fromApi('format=csv'))).toBe(true);
  });

  /** What a kill leaves behind at some byte: really killed, then cut to that length. */
  async function leaveCut(out: string, bytes: number): Promise<void> {
    await rm(out, { force: true });
    const preload = `data:text/javascript,${encodeURIComponent(
      `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
       fs.rename = () => process.kill(process.pid, 'SIGKILL'); syncBuiltinESMExports();`,
    )}`;
    const killed = await runCli(of('--format', 'csv', '--out', out), { NODE_OPTIONS: `--import ${preload}` });
    expect(killed.code).toBeNull();
    await truncate(`${out}.part`, bytes);
  }

  test('by a kill in its midst is continued from there', async () => {
    await storeMany();
    const expected = await fromApi('format=csv');
    const out = join(folder, 'out.csv');
    const child = spawnCli(of('--format', 'csv', '--out', out));
    while (((await stat(`${out}.part`).catch(() => null))?.size ?? 0) === 0 && child.exitCode === null);
    child.kill('SIGKILL');
    await once(child, 'close');
    const { stdout } = await runCli(of('--format', 'csv', '--out', out, '--json'));
    const { continued_at, bytes } = JSON.parse(stdout) as { continued_at: number; bytes: number };
    expect(bytes).toBe(expected.length);
    expect(continued_at).toBeGreaterThan(0);
    expect((await readFile(out)).equals(expected)).toBe(true);
  });
});

test('without --out the file is called as the app calls it', async () => {
  const child = await runCliIn(folder, of('--format', 'csv'));
  expect(child.code).toBe(0);
  expect(await readdir(folder)).toEqual(['ESP32_2026-03-02.csv']);
});

async function runCliIn(cwd: string, args: readonly string[]) {
  const move = `data:text/javascript,process.chdir(${encodeURIComponent(JSON.stringify(cwd))})`;
  return runCli(args, { NODE_OPTIONS: `--import ${move}` });
}

test('what cannot be exported says why, and leaves nothing', async () => {
  const refused = await runCli(of('--format', 'xls', '--out', join(folder, 'x')));
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining(
      'fieldbench: --format must be "csv", "ndjson", "parquet", "xlsx" or "html", got "xls"',
    ),
  ]);
  const start = await runCli(of('--start', 'yesterday', '--json', '--out', join(folder, 'x')));
  expect([start.code, start.stderr, JSON.parse(start.stdout)]).toEqual([
    2,
    '',
    { error: { exit_code: 2, message: expect.stringMatching(/^--start must be .* got "yesterday"/) } },
  ]);
  const unknown = of('--out', join(folder, 'x')).map((word) =>
    word === world.device_id ? world.note_id : word,
  );
  expect((await runCli(unknown)).code).toBe(3);
  expect(await readdir(folder)).toEqual([]);
  const nobody = await runCli(['records', 'export', '--data', folder, '--project', 'p', '--device', 'd']);
  expect(nobody.code).toBe(4);
  const usage: readonly (readonly [string[], string])[] = [
    [['records'], 'takes "export", "put", "tail", "import", "list", "delete", "purge", got nothing'],
    [['records', 'export', '--project', 'p'], '--device is needed'],
    [['records', 'export', '--colour', 'red'], "Unknown option '--colour'"],
  ];
  for (const [args, words] of usage) {
    const answer = await runCli(args);
    expect([answer.code, answer.stderr]).toEqual([2, expect.stringContaining(words)]);
  }
});
