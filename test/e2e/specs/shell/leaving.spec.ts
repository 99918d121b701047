import { chmodSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '../../app.ts';
import { createApi } from '../../api.ts';
import type { AppFiles } from '../../hosts/host.ts';
import { startProgram } from '../../program.ts';
import { left, start, WITH_ELECTRON } from '../../steps/stand-in-steps.ts';
import { makeDevice, makeProject, store } from '../../steps/steps.ts';

/* How a person leaves the app. In Electron a question waits for a person; the stand-in answers by itself. */
test.skip(({ host }) => host !== 'stand-in', 'a question waits for a person');

/** Starts an app to which a device sends; at SIGUSR2 its window is closed. */
async function withDevice(files: AppFiles, button = '') {
  const app = start(files, {
    more: WITH_ELECTRON('electron.BrowserWindow.getAllWindows()[0].close();'),
    env: { FIELDBENCH_STAND_IN: button },
  });
  const api = createApi(await app.ready(files.readyFile));
  await store(api, await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor'), [{ bar: 1.5 }]);
  return { app, api };
}

test('who closes the last window while a device sends is asked, and may have the service go on without one', async ({
  files,
}) => {
  const { app, api } = await withDevice(files);
  app.signal('SIGUSR2');
  await expect(() => expect(app.output()).toContain('a tray icon is shown')).toPass();
  expect(app.output()).toMatch(/1 device is sending\. Stop the service\?[^]*→ Keep it running/);
  expect((await api('GET', '/v2/projects')).status).toBe(200);
  // Whoever ends it by a signal is not asked again.
  await app.stop();
  expect(left(files)).toEqual([]);
});

test('who wants the service to stop has it stopped', async ({ files }) => {
  const { app } = await withDevice(files, 'other-button');
  app.signal('SIGUSR2');
  expect(await app.end, app.output()).toBe('0');
  expect(app.output()).toContain('→ Stop');
  expect(left(files)).toEqual([]);
});

/** Opens another window, puts the first one into the taskbar, and closes the other. */
const CLOSE_ANOTHER = `
  const [first] = electron.BrowserWindow.getAllWindows();
  const { webContents } = first;
  electron.app.once('browser-window-created', (_event, other) => other.once('show', () => {
    first.minimize();
    other.once('closed', () => console.log('the other one is closed'));
    other.close();
  }));
  webContents.ipc.emit('fieldbench-window', { senderFrame: webContents.mainFrame }, '#/');`;

test('who closes a window while another one is minimised leaves nothing, and is asked nothing', async ({
  files,
}) => {
  const app = start(files, { more: WITH_ELECTRON(CLOSE_ANOTHER) });
  const api = createApi(await app.ready(files.readyFile));
  app.signal('SIGUSR2');
  await expect(() => expect(app.output()).toContain('the other one is closed')).toPass();
  expect((await api('GET', '/v2/projects')).status).toBe(200);
  await app.stop();
});

test('an AppImage that failed is started again by its own file', async ({ files }) => {
  const appImage = join(files.dataDirectory, '..', 'Fieldbench.AppImage');
  const said = `${appImage}.said`;
  writeFileSync(appImage, `#!/bin/sh\nprintf '%s ' "$@" > '${said}'\n`);
  chmodSync(appImage, 0o700);
  const app = start(files, {
    flags: ['--prot', '1'],
    env: { FIELDBENCH_STAND_IN: 'other-button packaged', APPIMAGE: appImage },
  });
  expect(await app.end, app.output()).toBe('1');
  await expect.poll(() => existsSync(said) && readFileSync(said, 'utf8')).toContain('--prot 1');
  expect(app.output()).not.toContain('mount that is gone');
});

/** Files as a data logger writes them, beside the app's own folder. */
function recordings({ dataDirectory }: AppFiles, names: readonly string[]): string[] {
  return names.map((name) => {
    const file = join(dataDirectory, '..', name);
    writeFileSync(file, 'timestamp,bar\n2026-01-05T08:00:00Z,1.5\n');
    return file;
  });
}

test('files that the desktop hands to an empty app are looked at, and in by one click, as those that are dropped', async ({
  page,
  app,
  api,
  files,
}) => {
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible();
  const handed = recordings(files, ['pump 7.csv', 'pump 8.csv']);
  const second = startProgram([...app.command, ...handed], app.env);
  expect(await second.end, second.output()).toBe('0');
  await expect(page.getByRole('heading', { name: 'Look at files' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'pump 7.csv' })).toContainText('every row can be read');
  await page.getByRole('button', { name: 'Import 2 files' }).click();
  await expect(page.getByText('2 of 2 files imported.')).toBeVisible();
  const { data } = await api('GET', '/_local/v1/projects');
  expect((data as { readonly name: string }[]).map(({ name }) => name)).toEqual(['pump']);
});

test('a file that the desktop hands over where no project is open goes where it is sent once it was looked at', async ({
  page,
  app,
  api,
  files,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  await page.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
  const second = startProgram([...app.command, ...recordings(files, ['pump 7.csv'])], app.env);
  expect(await second.end, second.output()).toBe('0');
  await expect(page.getByRole('region', { name: 'pump 7.csv' })).toContainText('every row can be read');
  // Nobody has said yet where it belongs.
  await expect(page.getByRole('button', { name: 'Import 1 file' })).toBeDisabled();
  await page.getByRole('combobox', { name: 'Into the project' }).click();
  await page.getByRole('option', { name: 'Line 2' }).click();
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(page.getByText('1 of 1 file imported.')).toBeVisible();
  const { data } = await api('GET', `/_local/v1/projects/${project_id}/devices`);
  expect((data as { readonly name: string }[]).map(({ name }) => name)).toEqual(['pump 7']);
});

test('files that the desktop hands over one after the other are all imported, but for one that is gone', async ({
  page,
  app,
  api,
  files,
}) => {
  await makeProject(api, 'Line 2');
  await page.getByRole('link', { name: 'Line 2' }).first().click();
  await page.evaluate(() => {
    const real = window.fetch;
    window.fetch = (input, init) =>
      input === './opened/1' ? Promise.resolve(new Response('', { status: 404 })) : real(input, init);
  });
  const [first = '', gone = '', ...others] = recordings(files, ['1.csv', '2.csv', '3.csv', '4.csv']);
  // A program each, as Windows starts them for files that were chosen together.
  const handOver = (...words: string[]) => startProgram([...app.command, ...words], app.env);
  const both = handOver(first, gone);
  expect(await both.end, both.output()).toBe('0');
  for (const one of others.map((file) => handOver(file))) expect(await one.end, one.output()).toBe('0');
  await expect(page.getByText('2.csv was not imported')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import 3 files' })).toBeVisible();
});

test('the theme that was chosen is that of the frame, and of the next start before its page is there', async ({
  page,
  app,
  files,
}) => {
  await page.getByRole('button', { name: /theme/i }).click();
  const [profile = ''] = globSync(join(files.config, 'Fieldbench Desktop', '*', 'Chromium')).map(dirname);
  await expect.poll(() => existsSync(join(profile, 'theme'))).toBe(true);
  const chosen = readFileSync(join(profile, 'theme'), 'utf8');
  expect(['light', 'dark']).toContain(chosen);
  await app.stop();
  const again = start(files, {
    more: WITH_ELECTRON('console.log(`the theme is ${electron.nativeTheme.themeSource}`)'),
  });
  await again.ready(files.readyFile);
  again.signal('SIGUSR2');
  await expect(() => expect(again.output()).toContain(`the theme is ${chosen}`)).toPass();
  await again.stop();
});
