import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron } from '@playwright/test';
import { sandboxFlags } from '../chromium.ts';
import { waitForReady } from '../program.ts';
import { appEnv, appFlags, MAIN, type StartApp } from './host.ts';

const PACKAGE = 'node_modules/electron';

/** Electron's executable, from the places that Electron's own tools look at; null where there is none. */
function electronRuntime(env: NodeJS.ProcessEnv = process.env): string | null {
  const pathFile = join(PACKAGE, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron';
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const candidates = [
    env['ELECTRON_EXEC_PATH'],
    override && join(override, name),
    join(PACKAGE, 'dist', name),
  ];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}

/** Why the desktop app cannot run here; null where it can. */
export function whyNoElectron(env: NodeJS.ProcessEnv = process.env): string | null {
  if (electronRuntime(env) === null) return 'no Electron runtime (`npx install-electron` brings it)';
  const hasDisplay = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  return hasDisplay ? null : 'no display (`xvfb-run` makes one)';
}

/** The desktop app itself. */
export const startElectron: StartApp = async ({ files, watch, started }) => {
  const executablePath = electronRuntime();
  if (executablePath === null) throw new Error(`Electron cannot run: ${whyNoElectron()}.`);
  const args = [...sandboxFlags, MAIN, ...appFlags(files)];
  const env = appEnv(files);
  // Without it Playwright would add --no-sandbox on Linux, which people do not.
  const chromiumSandbox = sandboxFlags.length === 0;
  const app = await _electron.launch({ executablePath, args, env: known(env), chromiumSandbox });
  started.defer(() => app.close());
  app.on('window', watch);
  const page = await app.firstWindow();
  const ready = await waitForReady(files.readyFile);
  // A window in front is what people have; without a window manager it is not by itself.
  await page.bringToFront();
  return { page, ready, command: [executablePath, ...args], env };
};

const known = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
