import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configOf } from '#core/cli/serve/configure.ts';
import { parseServeFlags } from '#core/cli/flags.ts';
import { createThreads } from '#core/threads/threads.ts';
import { isBuilt } from '../../../scripts/lib/build.mjs';
import { importing } from '../../helpers/files/imports.ts';

const folder = await mkdtemp(join(tmpdir(), 'fieldbench-config-'));
afterAll(() => rm(folder, { recursive: true }));

test('a service has worker threads where their script lies beside its own', async () => {
  expect(configOf(parseServeFlags([]), folder).workerScript).toBeNull();
  await writeFile(join(folder, 'worker.js'), '');
  expect(configOf(parseServeFlags([]), folder).workerScript).toBe(join(folder, 'worker.js'));
});

test('a passphrase of a backup costs what a file of the vault does, whoever starts the service', () => {
  expect(configOf(parseServeFlags([]), folder).backupCost).toBeNull();
});

test.skipIf(!isBuilt())('the built service has them, and they read files', async () => {
  const script = configOf(parseServeFlags([]), join(import.meta.dirname, '../../../out/main')).workerScript;
  const threads = createThreads({ script: script ?? 'none' });
  const { importFile } = importing(threads);
  expect((await importFile('time,a\n2015-02-04 17:51:00,1')).result).toMatchObject({ stored: 1 });
  await threads.close();
});
