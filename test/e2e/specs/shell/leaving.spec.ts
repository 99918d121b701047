import { chmodSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '../../app.ts';
import { createApi } from '../../api.ts';
import type { AppFiles } from '../../hosts/host.ts';
import { startProgram } from '../../program.ts';
import { left, start, WITH_ELECTRON } from '../../stand-in-steps.ts';
import { makeDevice, makeProject, store } from '../../steps.ts';

/* How a person leaves the app. In Electron a question waits for a person; the stand-in answers by itself. */
test.skip(({ host }) => host === 'electron', 'a question waits for a person');

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

test('a file that the desktop hands to the app is imported into the project that is opened', async ({
  page,
  app,
  api,
  files,
}) => {
  await makeProject(api, 'Line 2');
  const file = join(files.dataDirectory, '..', 'pump 7.csv');
  writeFileSync(file, 'timestamp,bar\n2026-01-05T08:00:00Z,1.5\n2026-01-05T08:01:00Z,1.6\n');
  const second = startProgram([...app.command, file], app.env);
  expect(await second.end, second.output()).toBe('0');
  await expect(page.getByText('pump 7.csv waits to be imported')).toBeVisible();
  await page.getByRole('link', { name: 'Line 2' }).first().click();
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(page.getByText('2 records').first()).toBeVisible();
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
