import { spawn } from 'node:child_process';
import type { App } from 'electron';

/** How often, a fifth of a second apart, it is looked whether the app has ended. */
const LOOKS = 150;

/**
 * Restarts the app once it has ended, with these arguments or its own. From an AppImage Electron cannot: its program lies in
 * a mount that goes with the process (electron-builder 1727, 4650). There a shell, which does not lie in it, waits for the
 * end and starts the AppImage itself.
 */
export function startAgain(
  app: Pick<App, 'relaunch'>,
  args?: readonly string[],
  { appImage = process.env['APPIMAGE'], pid = process.pid, argv = process.argv } = {},
): void {
  if (!appImage) return app.relaunch(args && { args: [...args] });
  const script = `n=0
    while kill -0 ${pid} 2>/dev/null && [ $n -lt ${LOOKS} ]; do sleep 0.2; n=$((n + 1)); done
    exec "$0" "$@"`;
  const waiting = spawn('/bin/sh', ['-c', script, appImage, ...(args ?? argv.slice(1))], {
    detached: true,
    stdio: 'ignore',
  });
  waiting.unref();
}
