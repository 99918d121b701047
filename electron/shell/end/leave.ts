import type { App, BrowserWindow, Dialog } from 'electron';
import type { Logger } from '#core/base/logger.ts';
import type { Service, UnderWay } from '#core/service/running-service.ts';
import { ask } from './failure.ts';

/** Options of leaving. */
export interface LeaveOptions {
  readonly app: Pick<App, 'quit'> & { on(event: 'before-quit', listener: () => void): unknown };
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly log: Pick<Logger, 'error'>;
  readonly starting: Promise<Pick<Service, 'underWay'>>;
  /** Called when the app goes on without a window: it must be seen somewhere. */
  readonly hidden: () => void;
  /** Called when a window of the app is shown. One of its documentation brings nobody back to the service. */
  readonly shown: () => void;
  readonly platform?: NodeJS.Platform;
}

export interface Leave {
  /** Quits, as a person asks for by the menu; where that would cut something off, after a question. */
  quit(): void;
  /**
   * Asks the same where this window of the app is closed and is its last; on a Mac the app lives on without one. Of any
   * other it asks where files would be cut off that its page sends or gets: `files` counts them.
   */
  heedClose(window: BrowserWindow, files: () => number): void;
  /** Shows the windows again that were hidden when the service was kept running. None of them takes the focus. */
  bringBack(): void;
}

/**
 * The end of the app as a person wants it. A signal, `fieldbench stop` and the end of a session ask nobody. Who keeps the
 * service running has the windows hidden: what their pages do, such as an import, goes on, and Windows tells of its end
 * of session only an app that has a window.
 */
export function createLeave({
  app,
  dialog,
  log,
  starting,
  hidden,
  shown,
  platform = process.platform,
}: LeaveOptions): Leave {
  let service: Pick<Service, 'underWay'> | null = null;
  starting.then(
    (started) => (service = started),
    // Who waits for it says why there is none; there is nothing to cut off.
    () => null,
  );
  const windows = new Set<BrowserWindow>();
  /** Windows hidden here. Windows calls a minimised one not visible, too (electron/shell/browser/native_window_views.cc). */
  const away = new Set<BrowserWindow>();
  /** Windows with an open question, and those answered with closing. */
  const asked = new Set<BrowserWindow>();
  const agreed = new Set<BrowserWindow>();
  let isQuitting = false;
  app.on('before-quit', () => (isQuitting = true));
  let isAsking = false;

  async function quit(window: BrowserWindow | null): Promise<void> {
    const what = busyWith(await underWay());
    if (what === null || (await isToStop(what, window))) app.quit();
    else {
      for (const one of windows) {
        away.add(one);
        one.hide();
      }
      hidden();
    }
  }

  async function underWay(): Promise<UnderWay> {
    try {
      return (await service?.underWay()) ?? NOTHING;
    } catch (error) {
      log.error('What is under way could not be found out', error);
      return NOTHING;
    }
  }

  async function isToStop(what: string, window: BrowserWindow | null): Promise<boolean> {
    const question = {
      type: 'question' as const,
      title: 'Fieldbench',
      message: `${what} Stop the service?`,
      detail: `It can go on without a window. ${
        platform === 'darwin' ? 'A click in the Dock' : 'Its icon among those of the desktop'
      }, or starting Fieldbench again, brings the window back.`,
      buttons: ['Keep it running', 'Stop'],
      defaultId: 0,
      cancelId: 0,
    };
    const { response } = window ? await ask(dialog, window, question) : await dialog.showMessageBox(question);
    return response === 1;
  }

  async function closeAlone(window: BrowserWindow, files: number): Promise<void> {
    asked.add(window);
    try {
      const { response } = await ask(dialog, window, {
        type: 'question',
        title: 'Fieldbench',
        message: `${files === 1 ? '1 file is' : `${files} files are`} on the way in this window. Close it?`,
        detail: 'An import or export that is under way would be cut off. The service goes on.',
        buttons: ['Keep it open', 'Close it'],
        defaultId: 0,
        cancelId: 0,
      });
      if (response !== 1 || window.isDestroyed()) return;
      agreed.add(window);
      window.close();
    } finally {
      asked.delete(window);
    }
  }

  function begin(window: BrowserWindow | null): void {
    if (isAsking) return;
    isAsking = true;
    quit(window)
      .catch((error: unknown) => log.error('A question could not be asked', error))
      .finally(() => (isAsking = false));
  }

  return {
    quit: () => begin([...windows].find((window) => window.isVisible()) ?? null),
    heedClose(window, files) {
      windows.add(window);
      window.once('closed', () => {
        windows.delete(window);
        away.delete(window);
      });
      window.on('show', () => {
        away.delete(window);
        shown();
      });
      window.on('close', (event) => {
        if (isQuitting) return;
        const isLast = platform !== 'darwin' && [...windows].every((one) => one === window || away.has(one));
        const cutOff = agreed.has(window) ? 0 : files();
        if (!isLast && cutOff === 0) return;
        event.preventDefault();
        if (isLast) begin(window);
        else if (!asked.has(window))
          closeAlone(window, cutOff).catch((error: unknown) =>
            log.error('A question could not be asked', error),
          );
      });
    },
    bringBack() {
      for (const one of away) one.showInactive();
    },
  };
}

const NOTHING: UnderWay = { sending: 0, jobs: 0 };

/** Returns the work that would end with the service, as a sentence; null for none. */
function busyWith({ sending, jobs }: UnderWay): string | null {
  const parts = [
    ...(sending === 0 ? [] : [sending === 1 ? '1 device is sending' : `${sending} devices are sending`]),
    ...(jobs === 0 ? [] : [jobs === 1 ? '1 job is under way' : `${jobs} jobs are under way`]),
  ];
  return parts.length === 0 ? null : `${parts.join(', and ')}.`;
}
