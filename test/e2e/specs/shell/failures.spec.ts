import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { UNSEEN } from '../../../electron-stand-in/desktop/dialog.ts';
import { expect, test } from '../../app.ts';
import { appEnv, appFlags, CLI, MAIN, type AppFiles } from '../../hosts/host.ts';
import { RUN } from '../../hosts/stand-in.ts';
import { startProgram } from '../../program.ts';

/*
 * What keeps the app from starting is said in a window of its own, in the service's words. In Electron that window waits
 * for a person, so these run on the stand-in, which says it on stderr.
 */
test.skip(({ host }) => host !== 'stand-in', 'an error window waits for a person');

async function failure(files: AppFiles, ...flags: string[]): Promise<string> {
  return failureIn(appEnv(files), files, ...flags);
}

async function failureIn(env: NodeJS.ProcessEnv, files: AppFiles, ...flags: string[]): Promise<string> {
  const program = startProgram([process.execPath, RUN, MAIN, ...appFlags(files), ...flags], env);
  expect(await program.end, program.output()).toBe('1');
  // Who starts it by a click has no terminal: what a box says before the app is ready, Linux shows nobody.
  expect(program.output()).not.toContain(UNSEEN);
  return program.output();
}

test('a busy port is named, and the flag that chooses another', async ({ files }) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const output = await failure(files, '--port', String(port));
  server.close();
  expect(output).toContain('Fieldbench cannot start');
  expect(output).toContain(String(port));
  expect(output).toContain('--port');
  expect(output).not.toMatch(/^\s+at /m);
});

test('a folder that another service has is told its process', async ({ files }) => {
  const service = startProgram([process.execPath, CLI, 'serve', ...appFlags(files)]);
  const { pid } = await service.ready(files.readyFile);
  const own: AppFiles = { ...files, readyFile: `${files.readyFile}.app` };
  expect(await failure(own)).toContain(String(pid));
  await service.stop();
});

test('a flag that does not exist is named', async ({ files }) => {
  expect(await failure(files, '--prot', '7444')).toContain("'--prot'");
});

test('metadata that cannot be read is left as it is', async ({ files }) => {
  await mkdir(files.dataDirectory);
  await writeFile(join(files.dataDirectory, 'metadata.json'), '{ "not": "ours" }');
  expect(await failure(files)).toContain('metadata.json');
});

test('a data directory that cannot be made is named', async ({ files }) => {
  await writeFile(files.dataDirectory, 'a file');
  expect(await failure(files)).toContain(files.dataDirectory);
});

test('a disk on which the app cannot make its lock is told, and not taken for another app', async ({
  files,
}) => {
  const env = { ...appEnv(files), FIELDBENCH_STAND_IN: 'no-symlinks' };
  expect(await failureIn(env, files)).toMatch(/Fieldbench cannot start\n.*SingletonLock.*symbolic links/);
});

test('who tries again after a failure gets a new start', async ({ files }) => {
  await mkdir(files.dataDirectory);
  await writeFile(join(files.dataDirectory, 'metadata.json'), '{ "not": "ours" }');
  const env = { ...appEnv(files), FIELDBENCH_STAND_IN: 'other-button' };
  expect(await failureIn(env, files)).toContain('would start again with');
});

test('a lock that this computer left under an earlier name is offered to be taken away', async ({
  files,
}) => {
  const first = startProgram([process.execPath, RUN, MAIN, ...appFlags(files)], appEnv(files));
  const { pid } = await first.ready(files.readyFile);
  await first.stop();
  const [profile = ''] = globSync(join(files.config, 'Fieldbench Desktop', '*', 'Chromium')).map(dirname);
  const link = join(profile, 'SingletonLock');
  await symlink(`earlier-name-${pid}`, link);
  expect(await failure(files)).toMatch(/in use on the computer earlier-name[^]*→ Quit/);
  expect(await readlink(link)).toBe(`earlier-name-${pid}`);
  const output = await failureIn({ ...appEnv(files), FIELDBENCH_STAND_IN: 'other-button' }, files);
  expect(output).toMatch(/→ Start anyway[^]*would start again/);
  await expect(readlink(link)).rejects.toThrow('ENOENT');
});

test('a start that fails before its data directory is known leaves its reason in a log', async ({
  files,
}) => {
  await failure(files, '--prot', '7444');
  const [log = ''] = globSync(join(files.config, 'Fieldbench Desktop', '*', 'logs', '*.log'));
  expect(await readFile(log, 'utf8')).toContain("'--prot'");
});
