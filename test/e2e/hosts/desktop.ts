import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { appFolders, keyOfFolder } from '#core/cli/folders/app-folders.ts';
import { thisSystem } from '#core/cli/folders/per-user-folder.ts';
import { startProgram } from '../program.ts';
import { appEnv, appFlags, CLI, type AppFiles, type RunningApp, type StartOptions } from './host.ts';

/** Has Chromium debugged by a port of its own choice, which it writes to its profile. Electron takes it whatever its fuses say. */
export const DEBUGGED = '--remote-debugging-port=0';

/**
 * Starts a desktop app as people do, by its program, and drives its window over the Chrome DevTools Protocol. Nothing else is
 * asked of the program: no loader, no --inspect, no variable that the app reads. `beside` ends what `program` begins: with the
 * script in development, with nothing where it was installed.
 *
 * One rule for what is saved, in every host: to be attached is to decide where it goes. As it attaches, Playwright sends
 * Browser.setDownloadBehavior, by which Chromium asks the debugger instead of the app's own delegate
 * (content/browser/devtools/protocol/devtools_download_manager_delegate.cc), and Electron's is the one that would open a
 * dialog (electron/shell/browser/electron_download_manager_delegate.cc). `_electron.launch` sends none, and would wait in it.
 */
export async function startDesktop(
  [executable, ...beside]: readonly [string, ...string[]],
  { files, watch, started }: Pick<StartOptions, 'files' | 'watch' | 'started'>,
): Promise<RunningApp> {
  const command = [executable, ...beside, ...appFlags(files)];
  const env = appEnv(files);
  const program = startProgram(command, env);
  started.defer(() => program.stop(process.platform === 'win32' ? () => askToStop(files) : undefined));
  const ready = await program.ready(files.readyFile);
  const port = await portIn(files, env);
  if (port === null) throw new Error(`The app has no Chromium that can be debugged:\n${program.output()}`);
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = browser.contexts();
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
  if (!page) throw new Error(`The app has no window:\n${program.output()}`);
  watch(page);
  await page.waitForURL((url) => url.protocol !== 'about:');
  // A window in front is what people have; without a window manager it is not by itself.
  await page.bringToFront();
  return { page, ready, command, env, output: () => program.output() };
}

/** Why a window cannot be opened here; null where it can. */
export function whyNoDisplay(env: NodeJS.ProcessEnv = process.env): string | null {
  const hasDisplay = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  return hasDisplay ? null : 'no display (`xvfb-run` makes one)';
}

const foldersOf = ({ dataDirectory }: AppFiles, env: NodeJS.ProcessEnv): string[] =>
  appFolders(keyOfFolder(dataDirectory), { ...thisSystem, env });

/** The port that Chromium is debugged by; null where it has none. The stand-in's Chromium is in a folder of the profile. */
async function portIn(files: AppFiles, env: NodeJS.ProcessEnv): Promise<string | null> {
  const [profile = ''] = foldersOf(files, env);
  const file = ['', 'Chromium']
    .map((folder) => join(profile, folder, 'DevToolsActivePort'))
    .find((candidate) => existsSync(candidate));
  return file === undefined ? null : ((await readFile(file, 'utf8')).split('\n')[0] ?? null);
}

/** Removes what desktop apps over these files left outside of the test's folder. On Linux all of it is inside. */
export async function removeProfiles(files: AppFiles): Promise<void> {
  if (!existsSync(files.dataDirectory)) return;
  for (const folder of foldersOf(files, appEnv(files)))
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Windows knows no signals: a person there says `fieldbench stop`. */
async function askToStop({ dataDirectory }: AppFiles): Promise<void> {
  const asking = startProgram([process.execPath, CLI, 'stop', '--data', dataDirectory]);
  const how = await asking.end;
  if (how !== '0') throw new Error(`fieldbench stop ended with ${how}:\n${asking.output()}`);
}
