import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mqttWorld, type MqttWorld } from './mqtt/world.ts';
import { COMMAND_LINE, runCli, spawnCli } from '../helpers/service/service-process.ts';
import { createWorld, dataOf, type World } from './world.ts';

/* docs/running.md, "Records": records and devices in by the command line, and followed as they come. */

let service: MqttWorld;
let world: World;
let folder: string;

beforeAll(async () => {
  service = await mqttWorld({}, { isAlone: true });
  world = await createWorld(service);
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-records-cli-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const cli = (...words: string[]) => runCli([...words, '--data', service.directory]);
const there = (...words: string[]) =>
  runCli([...words, '--url', service.service.http_url ?? ''], { FIELDBENCH_KEY: service.service.api_key });
/** The exit code of a command that reads stdin. */
const piped = async (input: string, ...words: string[]) => {
  const [program, ...first] = COMMAND_LINE;
  const child = spawn(program, [...first, ...words, '--data', service.directory]);
  child.stdin.end(input);
  return ((await once(child, 'close')) as [number | null])[0];
};
const file = async (name: string, content: string) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};
const device = async (name: string, source: 'http' | 'mqtt' = 'http') => {
  const path = `/v2/projects/${world.project_id}/devices`;
  return (await dataOf(service, 'POST', path, { name, source })).id;
};
const stored = async (id: string) =>
  (await dataOf(
    service,
    'GET',
    `/v2/projects/${world.project_id}/devices/${id}/data?page=1&limit=100&range=all`,
  )) as unknown as readonly Record<string, unknown>[];

describe('records put', () => {
  test('stores as the device does: over HTTP or MQTT, from the line, a file or stdin', async () => {
    const [http, mqtt] = [await device('Put H'), await device('Put M', 'mqtt')];
    expect(await cli('records', 'put', '{"t": 1}', '--device', 'Put H')).toEqual({
      code: 0,
      stdout: 'Stored: 1 record.\n',
      stderr: '',
    });
    const lines = await file('lines.ndjson', '{"t": 2}\n{"t": 3}\n');
    expect((await cli('records', 'put', '--file', lines, '--device', 'Put H', '--json')).stdout).toBe(
      '{"stored":2}\n',
    );
    expect(await piped('{"t": 0}', 'records', 'put', '--device', 'Put H')).toBe(0);
    expect((await there('records', 'put', '[{"t": 4}, {"t": 5}]', '--device', 'Put H')).code).toBe(0);
    expect((await stored(http)).map(({ t }) => Number(t)).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
    for (const ask of [cli, there])
      expect(await ask('records', 'put', '{"t": 6}', '--device', 'Put M')).toMatchObject({
        code: 0,
        stderr: '',
      });
    expect((await stored(mqtt)).map(({ t }) => t)).toEqual([6, 6]);
    const sent = await cli(
      'requests',
      'verify',
      `{"match": {"device_id": "${mqtt}", "method": "PUBLISH"}, "count": 2}`,
    );
    expect(sent.code).toBe(0);
  });

  test('is refused as a device is, and says what is wrong with the line', async () => {
    await device('Put R');
    const cases: readonly (readonly [string[], number, string])[] = [
      [['{"t": null}'], 3, 'record 1'],
      [['{"t": 1'], 3, 'JSON'],
      [['{}', '--file', 'x'], 2, '--file is in place of JSON'],
      [['--file', join(folder, 'none.json')], 2, '--file must be a file that is there'],
    ];
    for (const [words, code, says] of cases) {
      const answer = await cli('records', 'put', ...words, '--device', 'Put R');
      expect([words, answer.code, answer.stdout]).toEqual([words, code, '']);
      expect(answer.stderr.toLowerCase()).toContain(says.toLowerCase());
    }
    expect(await cli('records', 'put', '{"t": 1}')).toMatchObject({ code: 2 });
  });
});

describe('what streams', () => {
  test.each([
    ['the directory', (): string[] => ['--data', service.directory]],
    [
      'an address',
      (): string[] => ['--url', service.service.http_url ?? '', '--key', service.service.api_key],
    ],
  ])('records tail prints lines of JSON as they come, late ones too: %s', async (_what, at) => {
    const name = `Tail ${_what}`;
    const id = await device(name);
    const { device_credentials } = (await dataOf(
      service,
      'GET',
      `/v2/projects/${world.project_id}/devices/${id}`,
    )) as unknown as { device_credentials: { device_token: string } };
    const ended = new AbortController();
    const tail = runCli(['records', 'tail', '--device', name, '--count', '3', ...at()]).finally(() =>
      ended.abort(),
    );
    for (let n = 0; !ended.signal.aborted; n++) {
      // Each is of an earlier time than the one before.
      const timestamp = new Date(Date.UTC(2026, 0, 1) - n * 60_000).toISOString();
      const body = { n, timestamp };
      await service.request('POST', '/integrations/http', { key: device_credentials.device_token, body });
    }
    const { code, stdout, stderr } = await tail;
    expect([code, stderr]).toEqual([0, '']);
    const seen = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n);
    const [first = NaN] = seen;
    expect(seen).toEqual([first, first + 1, first + 2]);
  });

  test('requests -f prints those that are asked for, and ends by SIGINT with 0', async () => {
    const child = spawnCli(['requests', '-f', '--status', 'refused', '--json', '--data', service.directory]);
    let out = '';
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
    while (!out.includes('\n')) {
      await service.request('GET', '/v2/projects');
      await service.request('GET', '/v2/nowhere');
    }
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await exited).toBe(0);
    for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ refused: true });
  });

  test('a count that is none is wrong use', async () => {
    for (const words of [
      ['records', 'tail', '--device', 'ESP32'],
      ['requests', '-f'],
    ])
      expect(await cli(...words, '--count', '0')).toMatchObject({
        code: 2,
        stderr: 'fieldbench: --count takes a whole number from 1, got "0".\n',
      });
  });
});

describe('records import', () => {
  const CSV = 'time,t\n2026-01-01 01:00:00,1.5\n2026-01-01 02:00:00,2.5\nnever,3\n';

  test('says what a file holds, stores it, and leaves out what is there', async () => {
    const id = await device('Import');
    const path = await file('logger.csv', CSV);
    const words = ['records', 'import', path, '--device', 'Import', '--zone', 'Europe/Berlin'];
    const dry = await cli(...words, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toMatch(
      /^It holds: 2 records, from .*; 1 row cannot be read\. Nothing was stored\.\n {2}line 4: /,
    );
    expect(await stored(id)).toEqual([]);
    expect(await cli(...words)).toMatchObject({ code: 3, stdout: '' });
    const kept = await cli(...words, '--on-error', 'keep', '--json');
    expect(JSON.parse(kept.stdout)).toMatchObject({
      stored: 2,
      skipped: 1,
      first: '2026-01-01T00:00:00.000000Z',
    });
    const again = await there(...words, '--on-error', 'keep', '--existing', 'skip');
    expect(again.stdout).toContain('2 records there already');
    expect((await stored(id)).map(({ t }) => t)).toEqual([2.5, 1.5]);
  });

  test('a wrong setting is named by its flag, and a file that is not there by its name', async () => {
    const path = await file('other.csv', CSV);
    const wrong = ['records', 'import', path, '--device', 'ESP32', '--on-error', 'stop'];
    for (const ask of [cli, there])
      expect(await ask(...wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('fieldbench: --on-error must be') as string,
      });
    for (const ask of [cli, there]) {
      const none = await ask('records', 'import', join(folder, 'none.csv'), '--device', 'ESP32');
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no file')]);
    }
  });
});

describe('devices import', () => {
  test('makes all of a list and prints their tokens, which store', async () => {
    const list = await file('pumps.csv', 'name,tags,color\nPump 7,wet;old,red\n"Pump, 8",,blue\n');
    const words = ['devices', 'import', list, '--project', 'Roof'];
    const dry = await cli(...words, '--dry-run');
    expect(dry.stdout).toBe('Would make 2 devices; nothing was changed:\n  Pump 7\n  Pump, 8\n');
    expect(dry.stderr).toContain('The column "color" means nothing here');
    const { code, stdout, stderr } = await cli(...words);
    expect([code, stderr.endsWith('Made 2 devices.\n')]).toEqual([0, true]);
    const [head, , last = ''] = stdout.trim().split('\n');
    expect(head).toBe('name,device_id,device_token');
    const key = last.split(',').at(-1) ?? '';
    expect((await service.request('POST', '/integrations/http', { key, body: { t: 1 } })).status).toBe(200);
    expect((await cli('devices', 'show', '--device', 'Roof/Pump 7', '--json')).stdout).toContain(
      '"tags":["wet","old"]',
    );
    expect((await cli(...words, '--dry-run')).stderr).toContain('has a device "Pump 7" already');
  });

  test('makes none where a row is wrong, and names the rows', async () => {
    const list = await file('wrong.csv', 'name,source\nA,http\n,http\nB,usb\n');
    expect(await cli('devices', 'import', list, '--project', 'Roof')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/line 3 has no name, line 4 source must be .*Nothing was made/) as string,
    });
    expect((await cli('devices', 'list', '--project', 'Roof')).stdout).not.toContain('Roof/A');
  });
});

test('an export comes from an address as from the directory, and goes on where it was cut off', async () => {
  const id = await device('Exported Ü');
  const lines = Array.from({ length: 500 }, (_, n) => `{"timestamp": ${1_767_225_600_000 + n}, "n": ${n}}\n`);
  expect(
    (await cli('records', 'import', await file('out.ndjson', lines.join('')), '--device', id)).code,
  ).toBe(0);
  const words = ['records', 'export', '--device', 'Exported Ü', '--format', 'csv'];
  const here = await cli(...words, '--out', '-');
  expect(here.stdout.split('\n')).toHaveLength(502);
  expect(await there(...words, '--out', '-')).toEqual(here);
  const out = join(folder, 'out.csv');
  const whole = JSON.parse((await there(...words, '--out', out, '--json')).stdout) as Record<string, unknown>;
  expect(whole).toEqual({ file: out, bytes: here.stdout.length, continued_at: 0 });
  expect(await readFile(out, 'utf8')).toBe(here.stdout);
  const address = `/_local/v1/projects/${world.project_id}/devices/${id}/records?format=csv`;
  const { headers } = await service.request('GET', address);
  const fields = JSON.stringify({ project_id: world.project_id, device_id: id, format: 'csv' });
  for (const kept of [1000, here.stdout.length]) {
    await writeFile(`${out}.part`, here.stdout.slice(0, kept));
    await writeFile(`${out}.part-of`, `${headers.get('etag')?.slice(1, -1)}\n${fields}\n`);
    const rest = JSON.parse((await there(...words, '--out', out, '--json')).stdout) as Record<
      string,
      unknown
    >;
    expect(rest).toEqual({ file: out, bytes: here.stdout.length, continued_at: kept });
    expect(await readFile(out, 'utf8')).toBe(here.stdout);
  }
  expect(await there('records', 'export', '--device', world.note_id)).toMatchObject({ code: 3 });
});

test('who reads slowly misses nothing, and who reads no more ends it', async () => {
  const id = await device('Long');
  const path = await file(
    'long.ndjson',
    Array.from({ length: 3000 }, (_, n) => `{"timestamp": ${1_767_225_600_000 + n}, "n": ${n}}\n`).join(''),
  );
  expect((await cli('records', 'import', path, '--device', id)).code).toBe(0);
  const words = ['records', 'list', '--device', id, '--limit', '10000', '--data', service.directory];
  const slow = spawnCli(words);
  let out = '';
  for await (const piece of slow.stdout as AsyncIterable<Buffer>) {
    out += piece.toString();
    await new Promise(setImmediate);
  }
  expect(out.trim().split('\n')).toHaveLength(3000);
  const gone = spawnCli(words);
  gone.stdout.destroy();
  const [said, [code]] = await Promise.all([text(gone.stderr), once(gone, 'exit')]);
  expect([code, said]).toEqual([0, '']);
});

test('openapi is the same from the directory and from an address', async () => {
  const [here, elsewhere] = [await cli('openapi'), await there('openapi')];
  expect(JSON.parse(here.stdout)).toMatchObject({ openapi: '3.1.0' });
  expect(elsewhere).toEqual(here);
});
