import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { runService } from '../helpers/service/running-service.ts';

/*
 * Formats that no release has written (docs/storage-format.md, "Versions"), in a data directory whose metadata a start
 * would write anew: it is refused before that.
 */

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-unsupported-'));
  await cp(join(import.meta.dirname, '../fixtures/data-1/folder'), directory, { recursive: true });
});
afterEach(() => rm(directory, { recursive: true }));

/** The bytes of each file by its path. */
async function everything(): Promise<Record<string, Buffer>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)),
  );
}

/** What a start is refused with, which changes no byte. */
async function refusal(): Promise<unknown> {
  const before = await everything();
  const refused: unknown = await runService({ directory, vault: 'auto', passphrase: 'any' }).then(
    () => expect.fail('it started'),
    (error: unknown) => error,
  );
  expect(await everything()).toEqual(before);
  return refused;
}

// Of files.
test.runIf(inFolder)('version 1 of vault.json is named and left as it is', async () => {
  const path = join(directory, 'vault.json');
  await writeFile(path, '{"version":1,"data":"YvLGW2YO"}');
  expect(await refusal()).toMatchObject({
    name: 'VaultError',
    message: expect.stringMatching(/format 1.*from 2 on/),
  });
  expect(String(await refusal())).toContain(path);
});

// Of files.
test.runIf(inFolder)('a lock of the earlier form is named and left as it is', async () => {
  const path = join(directory, 'lock.4711-815-0b1c2d3e-0000-4000-8000-000000000000');
  await writeFile(path, '');
  expect(await refusal()).toMatchObject({
    name: 'StartError',
    code: 'unsupported-format',
    message: expect.stringContaining(path),
  });
});

// Of files.
test.runIf(inFolder).each([
  ['data/boiler/1-1.log'],
  ['data/boiler/state1_1_1768471200001234_never_0'],
  ['data/~dropped-5e3f/1-2.log'],
  // A move of them to another format was cut off where nothing had their name.
  ['data.migrated'],
])('records in the plain log (%s) are named and left as they are', async (name) => {
  await rm(join(directory, 'data'), { recursive: true });
  const path = join(directory, name);
  await mkdir(name === 'data.migrated' ? path : join(path, '..'), { recursive: true });
  await writeFile(name === 'data.migrated' ? join(path, 'wal-1-0011aaff.log') : path, 'FIELDLOG');
  const refused = await refusal();
  expect(String(refused)).toContain(path);
  expect(refused).toMatchObject({
    name: 'StartError',
    code: 'unsupported-format',
    message: expect.stringMatching(/ the plain log, .*reads the append log alone/),
  });
});
