import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { runService } from '../helpers/service/running-service.ts';
import { createWorld } from './world.ts';

/* What keeps the service from starting has its own message, changes nothing, and leaves nothing locked behind. */

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const failure = async (start: Promise<unknown>): Promise<unknown> =>
  start.then(
    () => 'it started',
    (error: unknown) => error,
  );

async function startsAgain(): Promise<void> {
  const service = await runService({ directory });
  expect((await service.request('GET', '/v2/projects')).status).toBe(200);
  await service.service.close();
}

test('a second service on the same folder is told the first one', async () => {
  const first = await runService({ directory });
  expect(await failure(runService({ directory }))).toMatchObject({
    name: 'StartError',
    code: 'locked',
    message: expect.stringContaining(String(process.pid)),
  });
  expect((await first.request('GET', '/v2/projects')).status).toBe(200);
  await first.service.close();
  await startsAgain();
});

test.each(['port', 'httpPort'] as const)('a busy %s is named', async (flag) => {
  const other = createServer();
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  const { port } = other.address() as AddressInfo;
  expect(await failure(runService({ directory, tls: true, [flag]: port }))).toMatchObject({
    name: 'StartError',
    code: 'port-busy',
    message: expect.stringMatching(new RegExp(`${port}.*${flag === 'port' ? '--port' : '--http-port'}`)),
  });
  await new Promise((closed) => other.close(closed));
  await startsAgain();
});

// Of files: lab-faults.test.ts has a database's.
test.runIf(inFolder)('metadata of a newer Fieldbench is left alone', async () => {
  const file = join(directory, 'metadata.json');
  await writeFile(file, '{"version":999,"from":"the future"}');
  expect(await failure(runService({ directory }))).toMatchObject({
    name: 'StartError',
    code: 'metadata-newer',
    message: expect.stringContaining('999'),
  });
  expect(await readFile(file, 'utf8')).toBe('{"version":999,"from":"the future"}');
  await rm(file);
  await startsAgain();
});

// Of files.
test.runIf(inFolder)('metadata that nobody can read is left alone', async () => {
  const file = join(directory, 'metadata.json');
  await writeFile(file, '{"version":1,');
  expect(await failure(runService({ directory }))).toMatchObject({
    name: 'StartError',
    code: 'metadata-damaged',
    message: expect.stringContaining('metadata.json'),
  });
  expect(await readFile(file, 'utf8')).toBe('{"version":1,');
});

// Of files.
test.runIf(inFolder)(
  'metadata that was damaged since comes back from its last good copy, and people are told',
  async () => {
    const first = await runService({ directory });
    const made = await first.request('POST', '/_local/v1/projects', { body: { name: 'Kept' } });
    expect(made.status).toBe(200);
    await first.service.close();
    await writeFile(join(directory, 'metadata.json'), 'scrambled');
    const second = await runService({ directory });
    const { envelope } = await second.request('GET', '/_local/v1/status');
    expect((envelope.data as unknown as { notes: string[] }).notes.join('\n')).toMatch(
      /metadata\.json|last good/,
    );
    await second.service.close();
  },
);

// Of files.
test.runIf(inFolder)('data whose device metadata no longer knows is kept, and people are told', async () => {
  const first = await runService({ directory });
  const { device_id } = await createWorld(first);
  await first.service.close();
  await rm(join(directory, 'metadata.json'));
  await rm(join(directory, 'metadata.last-good.json'));
  const second = await runService({ directory });
  const notes = async () => {
    const { envelope } = await second.request('GET', '/_local/v1/status');
    return (envelope.data as unknown as { notes: string[] }).notes.join();
  };
  // The service writes the note behind its start.
  await expect.poll(notes).toContain(device_id);
  await second.service.close();
  const records = await openLog({ directory: join(directory, 'data') });
  expect(await records.count(device_id)).toBeGreaterThan(0);
  await records.close();
});

// Of files: test/unit/lab/vault.test.ts has a database's.
test.runIf(inFolder)('a file vault that was made with a passphrase asks for it', async () => {
  const first = await runService({ directory, vault: 'file', passphrase: 'right' });
  await first.service.close();
  expect(await failure(runService({ directory, vault: 'auto' }))).toMatchObject({
    name: 'VaultError',
    message: expect.stringContaining('FIELDBENCH_PASSPHRASE'),
  });
  await startsAgain();
});

// Of files.
test.runIf(inFolder)('a file vault with another passphrase is refused', async () => {
  const first = await runService({ directory, vault: 'file', passphrase: 'right' });
  const { api_key } = first.service;
  await first.service.close();
  expect(await failure(runService({ directory, vault: 'file', passphrase: 'wrong' }))).toMatchObject({
    name: 'VaultError',
    code: 'wrong-passphrase',
  });
  const again = await runService({ directory, vault: 'file', passphrase: 'right' });
  expect(again.service.api_key).toBe(api_key);
  await again.service.close();
});

test('a folder that cannot be made is named', async () => {
  const file = join(directory, 'a-file');
  await writeFile(file, '');
  expect(await failure(runService({ directory: join(file, 'below') }))).toMatchObject({
    name: 'StartError',
    code: 'read-only',
    message: expect.stringContaining('--data'),
  });
});
