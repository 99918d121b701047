import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openZip } from '#core/handover/verify/read-zip.ts';
import type { VerifiedPackage } from '#core/handover/verify/verify-package.ts';
import { inMemory } from '../../fuzz/handover/package.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/hand-over.md: `fieldbench handover`, `fieldbench verify` and `fieldbench signing-key`, and a package without Fieldbench. */

let service: RunningService;
let world: World;
let folder: string;
let fingerprint: string;

const at = () => ['--data', service.directory];
const handOver = (file: string, ...more: readonly string[]) =>
  runCli(['handover', 'Boiler room/ESP32', '--out', file, ...at(), ...more]);

/** The bytes of the files of a package whose paths end so. */
async function inside(file: string, end: string): Promise<Buffer> {
  const { entries } = await openZip(inMemory(await readFile(file)));
  const found = entries.filter(({ name }) => name.endsWith(end));
  expect(found.length).toBeGreaterThan(0);
  return Buffer.concat(await Promise.all(found.map(({ content }) => buffer(content()))));
}

beforeAll(async () => {
  service = await runService({ vault: 'file' });
  world = await createWorld(service);
  fingerprint = ((await dataOf(service, 'GET', '/_local/v1/handover/key'))['fingerprint'] as string) ?? '';
});
afterAll(() => service.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-handover-'));
  return () => rm(folder, { recursive: true, force: true });
});

test('a package is written, read again and verified, and twice it is the same bytes', async () => {
  const [first, second] = [join(folder, 'a.zip'), join(folder, 'b.zip')];
  const made = await handOver(first);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('read again, and as it was signed.');
  expect(made.stdout).toContain(fingerprint.replace(/.{4}(?=.)/g, '$& '));
  expect(made.stdout).toContain('by another way');
  expect(await runCli(['handover', world.device_id, '--out', second, '--json', ...at()])).toMatchObject({
    code: 0,
  });
  expect((await readFile(first)).equals(await readFile(second))).toBe(true);
  expect(await readdir(folder)).toEqual(['a.zip', 'b.zip']);
});

test.each(['csv', 'ndjson', 'parquet'])('records in it are those of an export as %s', async (format) => {
  const file = join(folder, 'p.zip');
  expect(await handOver(file, '--format', format)).toMatchObject({ code: 0 });
  for (const view of ['raw', 'corrected']) {
    const path = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/records`;
    const { text } = await service.request('GET', `${path}?format=${format}&view=${view}`);
    const written = await inside(file, `records-${view}.${format}`);
    expect(new TextDecoder().decode(written)).toBe(text);
  }
});

test('a span is that of the records, of both views', async () => {
  const file = join(folder, 'p.zip');
  const span = ['--start', '2026-03-02T20:31:00Z', '--end', '2026-03-02T20:32:00Z', '--format', 'ndjson'];
  expect(await handOver(file, ...span)).toMatchObject({ code: 0 });
  const raw = (await inside(file, 'records-raw.ndjson')).toString();
  expect(
    raw
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { temperature: number }).temperature),
  ).toEqual([21]);
});

test('corrections, notes, facts and its part of the audit trail are in it, and no secret', async () => {
  const file = join(folder, 'p.zip');
  await handOver(file);
  const read = async (name: string) => JSON.parse((await inside(file, name)).toString()) as unknown;
  expect(await read('notes.json')).toMatchObject([{ text: 'Valve opened' }]);
  expect(await read('corrections.json')).toMatchObject({
    corrections: [{ id: world.correction_id, reason: 'Door open' }],
    history: [{ act: 'created' }],
  });
  expect(await read('device.json')).toMatchObject({
    id: world.device_id,
    name: 'ESP32',
    project: { name: 'Boiler room' },
  });
  expect(await read('statistics.json')).toMatchObject({ raw: [{ key: 'temperature', count: 3 }] });
  const trail = (await inside(file, 'audit-trail.ndjson')).toString().trim().split('\n');
  const entries = trail.map((line) => JSON.parse(line) as { operation: string; devices: { id: string }[] });
  expect(entries.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['devices.create', 'notes.create', 'corrections.create']),
  );
  for (const { devices } of entries) expect(devices.map(({ id }) => id)).toEqual([world.device_id]);
  const all = (await inside(file, '')).toString('latin1');
  for (const secret of [world.device_token, service.service.api_key, 'PRIVATE KEY'])
    expect(all).not.toContain(secret);
});

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/hand-over.md'), 'utf8');
const sectionOf = (title: string) => PAGE.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
const commandsIn = (section: string) =>
  [...section.matchAll(/^```sh\n(.*?)\n```$/gms)].flatMap(([, lines = '']) => lines.split('\n'));

test('the commands of docs/hand-over.md for who hands over do as it says', async () => {
  const made = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
    name: 'Pump',
    source: 'http',
  });
  const { device_token: key } = made['metadata'] as { device_token: string };
  const body = ['2026-10-02T00:00:00Z', '2026-11-02T00:00:00Z'].map((timestamp) => ({ timestamp, bar: 1 }));
  await service.request('POST', '/integrations/http', { key, body });
  const commands = commandsIn(sectionOf('For who hands over')).map((line) => line.replace(/ +#.*/, ''));
  expect(commands.map((line) => line.split(' ', 2).join(' '))).toEqual([
    'fieldbench handover',
    'fieldbench signing-key',
    'fieldbench verify',
    'fieldbench records',
  ]);
  const inFolder = (word: string) => (/^pump\.\w+$/.test(word) ? join(folder, word) : word);
  const printed: string[] = [];
  for (const line of commands) {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const needsService = words[1] !== 'verify';
    const given = [...words.slice(1).map(inFolder), ...(needsService ? at() : [])];
    const { code, stdout, stderr } = await runCli(given);
    expect([line, code], stderr).toEqual([line, 0]);
    printed.push(stdout);
  }
  expect(printed[1]).toContain(fingerprint.replace(/.{4}(?=.)/g, '$& '));
  expect(printed[2]).toContain('It is as it was signed.');
  const records = (await inside(join(folder, 'pump.zip'), 'records-raw.csv')).toString();
  expect(records).toContain('2026-10-02');
  expect(records).not.toContain('2026-11-02');
  expect(await readFile(join(folder, 'pump.html'), 'utf8')).toMatch(/^<!doctype html>/i);
});

describe.runIf(process.platform !== 'win32')('without Fieldbench', () => {
  /** The indented lines of HOW-TO-CHECK.txt, in one shell. */
  const linesOf = (where: string) => {
    const text = readFileSync(join(where, 'HOW-TO-CHECK.txt'), 'utf8');
    const commands = text.split('\n').filter((line) => /^ {2}(?:openssl|sed|find) /.test(line));
    expect(commands).toHaveLength(4);
    return commands.map((line) => line.trim());
  };
  const check = (where: string) =>
    linesOf(where).map((line) => {
      const { stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: where, encoding: 'utf8' });
      return { stdout: stdout.trim(), stderr: stderr.trim() };
    });

  async function unpacked(): Promise<string> {
    const file = join(folder, 'p.zip');
    await handOver(file);
    const where = join(folder, 'unpacked');
    await mkdir(where);
    execFileSync('unzip', ['-q', file, '-d', where]);
    return where;
  }

  test('the lines of HOW-TO-CHECK.txt say that it is as it was signed', async () => {
    const [key, signature, files, others] = check(await unpacked());
    expect(key?.stdout).toBe(fingerprint);
    expect(signature?.stdout).toBe('Signature Verified Successfully');
    const lines = files?.stdout.split('\n') ?? [];
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) expect(line).toMatch(/^[\w./-]+: OK$/);
    expect(others?.stdout).toBe('');
  });

  test('docs/hand-over.md says the same lines', async () => {
    const section = sectionOf('Check it');
    // The fourth is too long for a page, which says where it stands.
    expect(commandsIn(section)).toEqual(linesOf(await unpacked()).slice(0, 3));
    expect(section).toContain('The fourth command of `HOW-TO-CHECK.txt` prints each such file');
  });

  test('they name a record that was changed, a file that was added, and a manifest that was', async () => {
    const where = await unpacked();
    const csv = join(where, 'devices/1-ESP32/records-raw.csv');
    await writeFile(csv, (await readFile(csv, 'utf8')).replace('20.5', '19.5'));
    await writeFile(join(where, 'more.txt'), 'x');
    const [, signature, files, others] = check(where);
    expect(signature?.stdout).toBe('Signature Verified Successfully');
    expect(files?.stdout.split('\n').filter((line) => !line.endsWith(': OK'))).toEqual([
      'devices/1-ESP32/records-raw.csv: FAILED',
    ]);
    expect(others?.stdout).toBe('not named: ./more.txt');
    await appendFile(join(where, 'manifest.json'), ' ');
    expect(check(where)[1]?.stdout).not.toBe('Signature Verified Successfully');
  });

  test('they name what was added under a name that only looks like one of the manifest, and links', async () => {
    const where = await unpacked();
    const sha256 = /"report.html","sha256":"(\w+)"/.exec(readFileSync(join(where, 'manifest.json'), 'utf8'));
    const added = [
      'manifest-json',
      'manifest.json\nreport.html',
      'report.html ',
      `report.html","sha256":"${sha256?.[1]}`,
    ];
    for (const name of added) await writeFile(join(where, name), 'x');
    await symlink('report.html', join(where, 'link.html'));
    const named = check(where)[3]?.stdout.split('not named: ./').slice(1);
    expect(named?.map((name) => name.trim()).toSorted()).toEqual(
      [...added, 'link.html'].map((name) => name.trim()).toSorted(),
    );
  });
});

describe('fieldbench verify', () => {
  test('says that a package is as it was signed, by whose key, and that a key is only as good as the way it came', async () => {
    const file = join(folder, 'p.zip');
    await handOver(file);
    const grouped = fingerprint.replace(/.{4}(?=.)/g, '$& ');
    const found = await runCli(['verify', file]);
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.stdout).toContain('It is as it was signed.');
    expect(found.stdout).toContain(grouped);
    expect(found.stdout).toContain('only as good as the way its fingerprint came to you');
    expect(await runCli(['verify', file, '--fingerprint', grouped])).toMatchObject({ code: 0 });
    const other = await runCli(['verify', file, '--fingerprint', 'f'.repeat(64), '--json']);
    expect(other.code).toBe(1);
    expect((JSON.parse(other.stdout) as VerifiedPackage).findings).toMatchObject([{ harm: 'other-key' }]);
    expect(await runCli(['verify', file, '--fingerprint', 'abc'])).toMatchObject({ code: 2 });
    expect(await runCli(['verify', '--fingerprint', fingerprint, ...at()])).toMatchObject({ code: 2 });
    expect(await runCli(['verify', file, '--data', folder])).toMatchObject({ code: 2 });
  });

  test('names what is no package, and what of one was changed', async () => {
    const file = join(folder, 'p.zip');
    await handOver(file);
    const bytes = await readFile(file);
    bytes[bytes.length - 1] = bytes[bytes.length - 1] === 0x30 ? 0x31 : 0x30;
    await writeFile(file, bytes);
    const changed = await runCli(['verify', file]);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('every file in it is as it was signed, but not the bytes around them');
    await writeFile(join(folder, 'words.zip'), 'words');
    const words = await runCli(['verify', join(folder, 'words.zip')]);
    expect(words.code).toBe(1);
    expect(words.stdout).toContain('The zip cannot be read');
  });
});

test('what is wrong is said, and nothing is written', async () => {
  const file = join(folder, 'p.zip');
  const none = await runCli(['handover', 'Cellar', '--out', file, ...at()]);
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('DEVICE must be the name or id of a device of the service, got "Cellar"');
  expect((await runCli(['handover', '--out', file, ...at()])).stderr).toContain('a DEVICE is needed');
  expect((await runCli(['handover', 'ESP32', ...at()])).stderr).toContain('--out is needed');
  expect(await handOver(file, '--format', 'xls')).toMatchObject({ code: 2 });
  const turned = await handOver(file, '--start', '2026-03-03T00:00:00Z', '--end', '2026-03-02T00:00:00Z');
  expect(turned.code).toBe(2);
  expect(turned.stderr).toContain('start must not be after end');
  expect(existsSync(file)).toBe(false);
  await writeFile(file, 'something else');
  const there = await handOver(file);
  expect(there.code).toBe(1);
  expect(there.stderr).toContain('is there already');
  expect(await readFile(file, 'utf8')).toBe('something else');
  expect(await readdir(folder)).toEqual(['p.zip']);
});

test('the key is one, and its public half is told', async () => {
  const told = await runCli(['signing-key', ...at()]);
  expect(told.stdout).toContain(fingerprint.replace(/.{4}(?=.)/g, '$& '));
  const pem = await runCli(['signing-key', '--pem', ...at()]);
  expect(pem.stdout).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\w+/=]+\n-----END PUBLIC KEY-----\n$/);
});
