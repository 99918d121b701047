import { existsSync } from 'node:fs';
import { expect, test } from '../../app.ts';
import { CLI, type AppFiles } from '../../hosts/host.ts';
import { startProgram } from '../../program.ts';

/** Runs a command on the app's data directory; resolves with its exit code and what it wrote. */
async function fieldbench({ dataDirectory }: AppFiles, ...command: string[]) {
  const program = startProgram([process.execPath, CLI, ...command, '--data', dataDirectory]);
  return [await program.end, program.output().trim()];
}

test('fieldbench open brings up the window, or prints an address of the same app in a browser', async ({
  page,
  files,
}) => {
  expect(await fieldbench(files, 'open')).toEqual(['0', 'The window of Fieldbench is open.']);
  await expect(page.getByRole('banner')).toBeVisible();
  const [code, address = ''] = await fieldbench(files, 'open', '--print');
  expect(code).toBe('0');
  expect((await fetch(address, { redirect: 'manual' })).status).toBe(303);
});

test('fieldbench stop ends the app, and is back when it has ended', async ({ app, api, files }) => {
  expect((await api('GET', '/v2/projects')).status).toBe(200);
  expect(await fieldbench(files, 'stop')).toEqual(['0', 'Stopped.']);
  await expect(fetch(app.ready.http_url ?? '')).rejects.toThrow();
  await expect.poll(() => existsSync(files.readyFile)).toBe(false);
});
