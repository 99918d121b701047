import type { App, BrowserWindow, PowerMonitor } from 'electron';
import { stopSignals, type Signalled } from '#core/cli/serve/signals.ts';
import type { Logger } from '#core/base/logger.ts';
import type { Ending } from './ending.ts';

/** Windows waits 5 s for an app at the end of a session, then ends it. */
const SESSION_END_MS = 4000;

type Quitting = Pick<App, 'quit'> & {
  on(event: 'will-quit', listener: (event: { preventDefault(): void }) => void): unknown;
};

/**
 * Quits at the first signal that asks for it, and outlives those that follow at once: npm passes on what its whole group
 * got already. Electron's own handlers live for one signal and let the next one end the process
 * (electron/shell/browser/electron_browser_main_parts_posix.cc); they are in place, and replaced, once the app is ready.
 */
export function quitWhenAsked(
  app: Pick<App, 'quit' | 'exit'>,
  from: Pick<Signalled, 'platform' | 'on'> = process,
): void {
  const { platform } = from;
  const { asked } = stopSignals({
    platform,
    on: (signal, listener) => from.on(signal, listener),
    exit: (code) => app.exit(code),
  });
  void asked.then(() => app.quit());
}

/** Quitting waits for the service, which finishes and flushes what it has accepted. */
export function closeBeforeQuit(app: Quitting, ending: Ending): void {
  let isOver = false;
  app.on('will-quit', (event) => {
    if (isOver) return;
    event.preventDefault();
    void closeAndQuit();
  });

  async function closeAndQuit(): Promise<void> {
    await ending.run();
    isOver = true;
    app.quit();
  }
}

/** Quits with the last window, but on a Mac, where an app lives on without one. */
export function quitWithLastWindow(
  app: Pick<App, 'quit'> & { on(event: 'window-all-closed', listener: () => void): unknown },
  platform: NodeJS.Platform = process.platform,
): void {
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });
}

interface WindowOfSession {
  on(event: 'query-session-end' | 'session-end', listener: () => void): unknown;
}

/**
 * When the user logs out or the machine shuts down, Windows ends the app without a will-quit
 * (electron/docs/api/app.md, "Event: 'before-quit'"), and Linux and macOS may not wait for one. Those two are asked to wait
 * for the service, which leaves its lock and its ready file behind otherwise. Windows is not: it would tell the person that
 * this app prevents the shutdown, and an update at night would not come about. Nothing is lost by that: what was accepted
 * is stored, and what is left behind is cleared away by the next start. Sleep is told to the log: a device that sends
 * meanwhile is not answered.
 */
export function closeAtSessionEnd(
  app: Pick<App, 'quit'> & {
    on(event: 'browser-window-created', listener: (event: unknown, window: BrowserWindow) => void): unknown;
  },
  power: Pick<PowerMonitor, 'on'>,
  ending: Ending,
  log: Pick<Logger, 'info'>,
): void {
  // Before 'shutdown': of a first listener Electron does not tell Linux, which then waits for nobody
  // (electron/lib/browser/api/power-monitor.ts).
  power.on('suspend', () => log.info('The machine goes to sleep.'));
  power.on('resume', () => log.info('The machine woke up.'));
  const quit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    app.quit();
  };
  // Its type lacks the event that its documentation has.
  power.on('shutdown', quit as () => void);
  app.on('browser-window-created', (_event, window: WindowOfSession) => {
    window.on('query-session-end', () => void ending.run(SESSION_END_MS).then(() => app.quit()));
    // What can still be closed, is. Without a quit under way Electron ends the process at once
    // (electron/shell/browser/native_window_views_win.cc, WM_ENDSESSION).
    window.on('session-end', () => {
      void ending.run(SESSION_END_MS);
      app.quit();
    });
  });
}
