import type { BrowserWindow, Dialog } from 'electron';
import type { Logger } from '#core/base/logger.ts';
import { ask } from '../end/failure.ts';

/** A page that crashes or hangs takes nothing with it: the service lives in this process. */
export function helpWithTrouble(
  window: BrowserWindow,
  {
    quit,
    dialog,
    log,
    reopen,
  }: {
    /** Quits as a person asks for it (`end/leave.ts`): the service may be kept, and its windows hidden. */
    readonly quit: () => void;
    readonly dialog: Pick<Dialog, 'showMessageBox'>;
    readonly log: Logger;
    /** Loads what the window is to show, after a crash. */
    readonly reopen: () => void;
  },
): void {
  const { webContents } = window;
  let isBeingReopened = false;
  const failed = (error: unknown) => log.error('A question could not be asked', error);

  webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || isBeingReopened) return;
    log.error(`The window's page ended: ${reason}`);
    offerReload().catch(failed);
  });

  let hang: AbortController | null = null;
  window.on('unresponsive', () => {
    log.warn("The window's page does not answer.");
    hang ??= new AbortController();
    offerToWait(hang.signal).catch(failed);
  });
  window.on('responsive', () => {
    hang?.abort();
    hang = null;
  });

  async function offerReload(): Promise<void> {
    const { response } = await ask(dialog, window, {
      type: 'error',
      message: 'The window stopped working.',
      detail: 'The service goes on, and everything it has accepted is stored.',
      buttons: ['Open it again', 'Quit'],
      defaultId: 0,
      cancelId: 0,
    });
    if (window.isDestroyed()) return;
    if (response === 0) return reopen();
    // Where the service is kept, it comes back with something in it.
    window.once('show', reopen);
    quit();
  }

  async function offerToWait(signal: AbortSignal): Promise<void> {
    const { response } = await ask(dialog, window, {
      type: 'warning',
      message: 'The window does not answer.',
      detail:
        'The service goes on. To open the window again drops what it was doing, such as an import under way.',
      buttons: ['Wait', 'Open it again'],
      defaultId: 0,
      cancelId: 0,
      signal,
    });
    if (response === 0 || signal.aborted || window.isDestroyed()) return;
    // A page that hangs cannot be asked to go.
    isBeingReopened = true;
    webContents.once('render-process-gone', () => {
      isBeingReopened = false;
      reopen();
    });
    webContents.forcefullyCrashRenderer();
  }
}
