import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli, startServiceProcess, type CommandLine } from '../../helpers/service/service-process.ts';

/* What a process of the built command line loads: each start pays for it. A limit is what there is now and a tenth more. */

const CLI = join(import.meta.dirname, '../../../out/main/cli.js');

/** Notes each file that is loaded, and at its end Node's own modules, too. */
const NOTES = `
import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
const files = [];
registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) });
process.on('exit', () => writeFileSync(process.env.LOADED_FILE, JSON.stringify({ files, own: process.moduleLoadList })));
`;
const command: CommandLine = [
  process.execPath,
  '--import',
  `data:text/javascript,${encodeURIComponent(NOTES)}`,
  CLI,
];

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-start-size-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a run loaded: names and bytes of files, and whether Node's undici was among its own modules. */
async function loadedBy(run: (env: Readonly<Record<string, string>>) => Promise<unknown>) {
  const file = join(folder, 'loaded.json');
  await run({ LOADED_FILE: file });
  const { files, own } = JSON.parse(await readFile(file, 'utf8')) as { files: string[]; own: string[] };
  const paths = files.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return {
    names: paths.map((path) => basename(path)),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    hasUndici: own.some((name) => name.includes('undici')),
  };
}

test('a command that asks for little loads little', async () => {
  const { bytes, hasUndici } = await loadedBy((env) => runCli(['--version'], env, command));
  expect(bytes).toBeLessThan(18_100);
  expect(hasUndici).toBe(false);
});

test('a start loads nothing of databases, files or requests that nobody has asked for', async () => {
  const { names, bytes, hasUndici } = await loadedBy(async (env) => {
    const service = await startServiceProcess({ cli: command, env });
    await service.stop();
  });
  expect(bytes).toBeLessThan(3_200_000);
  expect(hasUndici).toBe(false);
  const late =
    /^(open-lab|lab|read-records|inspect|examine|clear|check|export-parquet|export-xlsx|export-page|write-workbook)-/;
  expect(names.filter((name) => late.test(name))).toEqual([]);
});
