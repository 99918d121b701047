import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, spawnCli } from '../../helpers/service/service-process.ts';

/* A service that is told to stop while its start waits for somebody else: real processes, real signals. */

const keychain = pathToFileURL(join(import.meta.dirname, '../../fixtures/silent-keychain.mjs')).href;

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-stop-in-start-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a service; resolves once it has said that it waits. */
async function waiting(vault: 'keychain' | 'memory', directory: string, says: string) {
  const flags = ['--vault', vault, '--port', '0', '--http-port', '0', '--ready-file', `${directory}.json`];
  const child = spawnCli(['serve', '--data', directory, ...flags], {
    NODE_OPTIONS: `--import ${keychain}`,
    FIELDBENCH_TEST_FOLDER: folder,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close');
  await expect.poll(() => output, { timeout: 30_000 }).toContain(says);
  return { child, closed, output: () => output };
}

const left = async (directory: string) =>
  [...(await readdir(directory)), ...(await readdir(folder))].filter(
    (name) => /^(lock\.|control\.sock)|\.json$/.test(name) && !name.startsWith('metadata.'),
  );

describe.skipIf(process.platform === 'win32')('a start that waits for a keychain ends with 0', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('at %s, and leaves nothing behind', async (signal) => {
    const directory = join(folder, signal);
    const { child, closed, output } = await waiting('keychain', directory, 'the keychain was asked');
    child.kill(signal);
    // Its own patience ends with 1, and says that the keychain is locked.
    expect(await closed).toEqual([0, null]);
    expect(output()).toContain('Stopped before it was ready.');
    expect(output()).not.toContain('locked');
    expect(await left(directory)).toEqual([]);
  });

  test('at "fieldbench stop", which is back when it has', async () => {
    const directory = join(folder, 'asked');
    const { closed, output } = await waiting('keychain', directory, 'the keychain was asked');
    expect((await runCli(['stop', '--data', directory])).code).toBe(0);
    expect(await left(directory)).toEqual([]);
    expect(await closed).toEqual([0, null]);
    expect(output()).toContain('Stopped before it was ready.');
  });
});

test('a start that looks whether another machine uses the folder ends with 0, and leaves that one’s claim', async () => {
  const directory = join(folder, 'far');
  const far = 'lock.1-2-0123456789abcdef-3-fedcba9876543210.0123456789abcdef';
  await mkdir(directory);
  await writeFile(join(directory, far), '{}');
  const { child, closed, output } = await waiting('memory', directory, 'whether it still does');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  expect(output()).toContain('Stopped before it was ready.');
  expect(await left(directory)).toEqual([far]);
});
