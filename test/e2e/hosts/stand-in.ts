import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumPath } from '../chromium.ts';
import { startProgram } from '../program.ts';
import { appEnv, appFlags, MAIN, type StartApp } from './host.ts';

export const RUN = 'test/electron-stand-in/run.ts';

/** The built, unmodified main and preload, on a stand-in for the electron module. */
export const startStandIn: StartApp = async ({ files, watch, started }) => {
  process.env['FIELDBENCH_CHROMIUM'] = chromiumPath();
  const command = [process.execPath, RUN, MAIN, ...appFlags(files)];
  const env = appEnv(files);
  const program = startProgram(command, env);
  started.defer(() => program.stop());
  const ready = await program.ready(files.readyFile);
  // Chromium's profile lies in the app's userData (electron/shell/start/profile.ts), where it says which port it debugs on.
  const [portFile] = globSync(join(files.config, '*', '*', 'Chromium', 'DevToolsActivePort'));
  if (portFile === undefined) throw new Error(`The app has no Chromium:\n${program.output()}`);
  const [port] = (await readFile(portFile, 'utf8')).split('\n');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = browser.contexts();
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
  if (!page) throw new Error(`The app has no window:\n${program.output()}`);
  watch(page);
  await page.waitForURL((url) => url.protocol !== 'about:');
  return { page, ready, command, env, output: () => program.output() };
};
