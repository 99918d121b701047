import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandsIn, helpOf } from '#core/cli/commands.ts';
import { nounCommands } from '#core/cli/nouns/index.ts';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { runCli } from '../helpers/service/service-process.ts';
import { createWorld, dataOf, type World } from './world.ts';

/* docs/running.md, "All commands": those that are an operation each, asked of a real service. */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService({ vault: 'memory', clock: { mode: 'scaled', rate: 1 } }, { isAlone: true });
  world = await createWorld(service);
});
afterEach(() => service.stop());

const cli = (...words: string[]) => runCli([...words, '--data', service.directory]);
const json = async (...words: string[]): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await cli(...words, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
};

/** Words of a line, of which those in quotes are one. */
const wordsOf = (line: string) =>
  Array.from(line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? '');

/** What stands for the id in an example. */
const ID_OF: Readonly<Record<string, keyof World>> = {
  keys: 'key_id',
  undo: 'undo_id',
  corrections: 'correction_id',
  alarms: 'alarm_id',
  accounts: 'account_id',
  simulate: 'simulator_id',
};

/** Snapshots are of a data directory (docs/rigs.md, "Snapshots"). */
const isHere = (name: string) => inFolder || !name.startsWith('snapshot ');

test.each(
  nounCommands('')
    .map(({ name }) => name)
    .filter(isHere),
)('the example of %s works', async (name) => {
  const command = commandsIn('').find((each) => each.name === name);
  const help = command ? await helpOf(command) : '';
  const [, example = ''] = /^ {2}fieldbench (.+)$/m.exec(help) ?? [];
  expect(example.startsWith(name)).toBe(true);
  const [noun = ''] = name.split(' ');
  const id = world[ID_OF[noun] ?? 'project_id'] as string;
  const [line = ''] = example.split(' > ');
  const words = await Promise.all(
    wordsOf(line).map(async (word) => (/^[0-9a-f]{8}-/.test(word) ? id : fileOf(word))),
  );
  if (!STREAMS.includes(name)) {
    const { code, stderr } = await cli(...words);
    expect([code, stderr]).toEqual([0, name === 'devices import' ? 'Made 2 devices.\n' : '']);
    return;
  }
  // It ends once it has printed one.
  const printed = cli(...words, '--count', '1');
  const ended = new AbortController();
  const end = printed.finally(() => ended.abort());
  while (!ended.signal.aborted) {
    await service.request('POST', '/integrations/http', { key: world.device_token, body: { a: 1 } });
    await service.request('GET', '/v2/nowhere');
  }
  await end;
  expect(await printed).toMatchObject({ code: 0, stderr: '' });
});

/** Commands that go on until somebody ends them. */
const STREAMS = ['records tail', 'requests -f'];

/** Files of examples, with something in them. */
const FILES: Readonly<Record<string, string>> = {
  'logger.csv': 'time,temperature\n2026-01-01 01:00:00,1.5\n',
  'pumps.csv': 'Pump 7\nPump 8\n',
  'boilers.json': '{"fieldbench": "dashboard", "version": 1, "widgets": []}',
};

async function fileOf(word: string): Promise<string> {
  // One that is written.
  if (word === 'audit.ndjson') return join(service.directory, word);
  const text = FILES[word];
  if (text === undefined) return word;
  const path = join(service.directory, word);
  await writeFile(path, text);
  return path;
}

test('projects and devices are made, listed, shown, deleted and had back by their names', async () => {
  const { stdout } = await cli('projects', 'create', 'Cellar', '--description', 'below');
  const id = stdout.trim();
  expect(await json('projects', 'show', '--project', 'cellar')).toMatchObject({ id, description: 'below' });
  const made = await cli(
    'devices',
    'create',
    'Pump',
    '--project',
    'Cellar',
    '--source',
    'mqtt',
    '--tag',
    'wet',
  );
  const [device = '', token = ''] = made.stdout.split('\n');
  const sent = await service.request('POST', '/integrations/http', { key: token, body: { a: 1 } });
  // It is a device of MQTT.
  expect(sent.status).not.toBe(200);
  expect((await cli('devices', 'token', '--device', 'Cellar/Pump')).stdout.trim()).toBe(token);
  expect((await cli('devices', 'token', '--device', 'Pump', '--renew')).stdout.trim()).not.toBe(token);
  const listed = (await cli('devices', 'list')).stdout;
  expect(listed).toContain(`${device}  never`);
  expect(listed).toMatch(/3 records +Boiler room\/ESP32/);
  expect((await cli('devices', 'list', '--project', 'Roof')).stdout).toBe('');
  expect(await json('devices', 'show', '--device', 'Pump')).toMatchObject({
    tags: ['wet'],
    summary: { records: 0, source: 'mqtt' },
  });

  const removed = await cli('projects', 'delete', '--project', 'Boiler room');
  const [, undo = ''] = /fieldbench undo restore (\S+)/.exec(removed.stdout) ?? [];
  expect(removed.stdout).toContain('Deleted, with 1 device and 3 records.');
  expect((await cli('projects', 'list')).stdout).not.toContain('Boiler room');
  expect((await cli('undo', 'list')).stdout).toContain(undo);
  expect((await cli('undo', 'restore', undo)).stdout).toBe('It is back, with 3 records.\n');
  expect((await cli('projects', 'list')).stdout).toContain('1 device   Boiler room');
});

test('a key is made, used and revoked', async () => {
  const made = await cli('keys', 'create', 'rig', '--permissions', 'read,write', '--project', 'Roof');
  const key = made.stdout.trim();
  expect((await service.request('GET', '/v2/projects', { key })).envelope.data).toHaveLength(1);
  const { stdout } = await cli('keys', 'list');
  const id =
    stdout
      .split('\n')
      .find((line) => line.endsWith('rig'))
      ?.split(' ')[0] ?? '';
  expect((await cli('keys', 'revoke', id)).stdout).toBe('Revoked.\n');
  expect((await service.request('GET', '/v2/projects', { key })).status).toBe(401);
});

test('what goes for good asks for --yes', async () => {
  const asked = await cli('reset');
  expect([asked.code, asked.stderr]).toEqual([
    2,
    'fieldbench: reset removes all projects, devices and records of an account, for good: say --yes if that is meant.\n',
  ]);
  expect(await cli('accounts', 'delete', world.account_id)).toMatchObject({ code: 2 });
  expect((await dataOf(service, 'GET', '/_local/v1/status'))['counts']).toMatchObject({ devices: 1 });
  expect(await json('reset', '--yes')).toEqual({ projects: 2, devices: 1, records: 3 });
});

test('requests are verified: exit code 1 where it is not so, with what came nearest', async () => {
  const wanted = '{"match": {"operation": "ingest"}, "body": {"temperature": {"gt": 30}}, "count": 1}';
  const found = await cli('requests', 'verify', wanted);
  expect(found.code).toBe(1);
  expect(found.stdout).toContain('It is not so: 0 as described.');
  expect(found.stdout).toContain('is not > 30');
  expect(await cli('requests', 'verify', '{')).toMatchObject({ code: 2 });
});

test('records are listed, deleted and had back', async () => {
  const { stdout } = await cli('records', 'list', '--device', 'ESP32', '--limit', '2');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { timestamp: '2026-03-02T20:32:21.202946Z', temperature: 22.25 },
    { timestamp: '2026-03-02T20:31:21.202946Z', temperature: 21, state: 'on' },
  ]);
  const span = ['--start', '2026-03-02T20:31:00Z', '--end', '2026-03-02T20:32:00Z'];
  expect((await cli('records', 'list', '--device', 'ESP32', ...span)).stdout.trim().split('\n')).toHaveLength(
    1,
  );
  expect((await cli('records', 'delete', '--device', 'ESP32', ...span)).stdout).toContain(
    'Deleted: 1 record.',
  );
  expect((await cli('records', 'purge', '--device', 'ESP32')).stdout).toContain('Deleted: 2 records.');
  expect((await cli('records', 'list', '--device', 'ESP32')).stdout).toBe('');
});

describe('a service at an address', () => {
  test('is asked over HTTP as the one of a data directory is', async () => {
    const url = service.service.http_url ?? '';
    const key = service.service.api_key;
    const here = (await cli('projects', 'show', '--project', 'Boiler room', '--json')).stdout;
    const there = ['projects', 'show', '--project', 'Boiler room', '--json', '--url', url];
    expect(await runCli([...there, '--key', key])).toEqual({ code: 0, stdout: here, stderr: '' });
    expect(await runCli(there, { FIELDBENCH_KEY: key })).toEqual({ code: 0, stdout: here, stderr: '' });
    const stranger = await runCli(['accounts', 'list', '--url', url, '--key', world.strangers_key]);
    expect(stranger).toMatchObject({ code: 3, stderr: expect.stringContaining('further account') as string });
  });

  test.each([
    [['--key', 'k'], '--key is for a --url, and none is given.', 2],
    [['--url', 'http://127.0.0.1:1'], '--url needs an API key: in --key, or in FIELDBENCH_KEY.', 2],
    [['--url', 'http://lab.example', '--key', 'k'], '--url: address must begin with https://', 2],
    [
      ['--url', 'http://127.0.0.1:1', '--key', 'k', '--data', '/tmp'],
      '--data and --url name two services',
      2,
    ],
    [['--url', 'http://127.0.0.1:1', '--key', 'k'], 'Nothing answers there', 4],
  ])('%j is refused', async (words, says, exit) => {
    const { code, stderr } = await runCli(['projects', 'list', ...words]);
    expect(stderr).toContain(says);
    expect(code).toBe(exit);
  });
});

describe('wrong use names what is wrong and what is right', () => {
  test.each([
    [['projects', 'show'], '--project is needed. See --help.'],
    [['projects', 'show', '--project', 'Boler room'], 'Did you mean "Boiler room"?'],
    [['projects', 'create'], 'a NAME is needed, got none. See --help.'],
    [['devices', 'create', 'D', '--project', 'Roof', '--source', 'usb'], '--source takes '],
    [['keys', 'create', 'K', '--permissions', 'reed'], '--permissions takes '],
    [['reset', '--to', 'nothing'], '--to takes empty or seed, got "nothing".'],
    [['requests', 'list', '--door', 'window'], '--door takes '],
    [['project', 'list'], 'Did you mean "projects list"'],
  ])('%j', async (words, says) => {
    const { code, stderr } = await cli(...words);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });

  test('what the service refuses is told with 3, and a value of a flag with 2', async () => {
    expect(await cli('keys', 'revoke', 'none')).toMatchObject({
      code: 3,
      stderr: 'fieldbench: API key not found.\n',
    });
    expect(await cli('keys', 'create', 'K', '--expires', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--expires must be') as string,
    });
  });
});
