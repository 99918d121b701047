import type { App, BrowserWindow, Dialog, MessageBoxOptions } from 'electron';
import { explain } from '#core/errors.ts';
import type { Logger } from '#core/logger.ts';
import type { Ending } from './ending.ts';

/** What a failure needs to be told, and to be the end. */
export interface LastWords {
  readonly app: Pick<App, 'isReady' | 'relaunch' | 'exit'>;
  readonly dialog: Pick<Dialog, 'showErrorBox' | 'showMessageBox'>;
  readonly ending: Ending;
  readonly log: Pick<Logger, 'error'>;
}

/** Says why there is no app, with the stack only of what nobody expected, and ends it. It never rejects. */
export async function showFailure(error: unknown, words: LastWords): Promise<void> {
  if (words.ending.isUnderWay) return;
  await end(words, 'Fieldbench cannot start', explain(error), 'Try again');
}

/**
 * What nobody caught leaves nobody knows what behind: the service is closed, the person asked, the app started anew.
 * Electron by itself would show a box that stops the whole process, devices' requests too, and then go on.
 */
export function endAtCrash(
  program: { on(event: 'uncaughtException' | 'unhandledRejection', hear: (error: unknown) => void): unknown },
  words: LastWords,
): void {
  let isEnding = false;
  const crash = (error: unknown) => {
    words.log.error('Something unforeseen happened', error);
    if (isEnding) return;
    isEnding = true;
    void end(
      words,
      'Fieldbench has to stop',
      `${error instanceof Error ? error.message : String(error)}\n\nEverything it has accepted is stored. The log says more.`,
      'Start again',
    );
  };
  program.on('uncaughtException', crash);
  program.on('unhandledRejection', crash);
}

/** Closes the service before anyone is asked: the answer may take a night. */
async function end({ app, dialog, ending, log }: LastWords, title: string, detail: string, again: string) {
  await ending.run();
  try {
    if (!app.isReady()) dialog.showErrorBox(title, detail);
    else if (await isWanted(dialog, title, detail, again)) app.relaunch();
  } catch (error) {
    log.error(`${title} could not be shown`, error);
  }
  app.exit(1);
}

async function isWanted(dialog: LastWords['dialog'], message: string, detail: string, again: string) {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Fieldbench',
    message,
    detail,
    buttons: [again, 'Quit'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

/** Asks over the window where one can be seen: a box that hangs on a hidden one is hidden, too (a sheet on a Mac). */
export function ask(
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow,
  options: MessageBoxOptions,
): ReturnType<Dialog['showMessageBox']> {
  return window.isDestroyed() || !window.isVisible()
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options);
}
