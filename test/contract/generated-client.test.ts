import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runService } from '../helpers/service/running-service.ts';

/* What a person does who points a generator at the service: the document as served becomes a client that compiles and works. */

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'test/client');

/** Runs a script; what it says on stdout is part of its failure, since the compiler speaks there. */
async function node(...args: string[]): Promise<string> {
  const { promise, resolve: pass, reject } = Promise.withResolvers<string>();
  execFile(process.execPath, args, { cwd: ROOT }, (error, stdout) =>
    error ? reject(new Error(`${error.message}\n${stdout}`)) : pass(stdout),
  );
  return promise;
}

test('a client that is generated from the served document compiles, and makes the main journey', async () => {
  const service = await runService();
  // Below the project, so that it finds the modules it imports.
  await mkdir(join(ROOT, 'out'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, 'out/client-'));
  try {
    const served = await service.request('GET', '/_local/v1/openapi.json');
    await writeFile(join(folder, 'openapi.json'), served.text);
    await node(join(CLIENT, 'generate.mjs'), join(folder, 'openapi.json'), join(folder, 'schema.d.ts'));
    await copyFile(join(CLIENT, 'journey.ts'), join(folder, 'journey.ts'));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      target: 'ES2024',
      module: 'preserve',
      allowImportingTsExtensions: true,
      types: ['node'],
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['journey.ts', 'schema.d.ts'] }),
    );
    await node(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder);
    const { base_url, api_key } = service.service;
    const told = await node(join(folder, 'journey.ts'), base_url, api_key);
    expect(JSON.parse(told)).toEqual({
      stored: 25,
      numbers: Array.from({ length: 25 }, (_, n) => 24 - n),
      total: '25',
      keys: ['n', 'state'],
      series: [{ key: 'n', counts: [5, 5, 5, 5, 5] }],
      exportedLines: 26,
      purged: { records: 25 },
      deleted: { devices: 1, records: 0, functions: 0, widgets: 0 },
      gone: [false, 'Project not found.', null],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await service.stop();
  }
});
