import type { App, BrowserWindow, Dialog, MessageBoxOptions } from 'electron';
import { explain, StartError, type StartErrorCode } from '#core/base/errors.ts';
import type { Logger } from '#core/base/logger.ts';
import type { Ending } from './ending.ts';
import { startAgain } from './start-again.ts';

/** Parts to report a failure and end the app. */
export interface LastWords {
  readonly app: Pick<App, 'isReady' | 'whenReady' | 'relaunch' | 'exit'>;
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly ending: Ending;
  readonly log: Pick<Logger, 'error'>;
  /** Called before the app is ready: has Chromium open a profile that no other app has. */
  readonly stepAside: () => void;
}

/** A start that failed, and can go on where the person agrees to something. */
export class RemediableError extends StartError {
  readonly remedy: Remedy;

  constructor(code: StartErrorCode, message: string, remedy: Remedy) {
    super(code, message);
    this.remedy = remedy;
  }
}

interface Remedy {
  /** The button's text. */
  readonly label: string;
  /** Runs before the app starts anew. */
  readonly apply: () => void;
}

const TRY_AGAIN: Remedy = { label: 'Try again', apply: () => {} };

/** Shows a failed start, with the stack of an unexpected error alone, and ends the app. Never rejects. */
export async function showFailure(error: unknown, words: LastWords): Promise<void> {
  if (words.ending.isUnderWay) return;
  words.log.error(`Fieldbench cannot start: ${explain(error)}`);
  const remedy = error instanceof RemediableError ? error.remedy : TRY_AGAIN;
  await end(words, 'Fieldbench cannot start', explain(error), remedy);
}

/**
 * Ends the app at an uncaught error, after which its state is unknown: the service is closed, the person asked, the app
 * started anew. Electron by itself would show a box that stops the whole process, devices' requests too, and then go on.
 */
export function endAtCrash(
  program: {
    on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
  },
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
      { label: 'Start again', apply: () => {} },
    );
  };
  program.on('uncaughtException', crash);
  program.on('unhandledRejection', crash);
}

/**
 * Closes the service before anyone is asked: the answer may take a night. Nobody is asked before the app is ready: Linux
 * shows no box until then (electron/docs/api/dialog.md, showErrorBox).
 */
async function end(words: LastWords, title: string, detail: string, { label, apply }: Remedy): Promise<void> {
  const { app, dialog, ending, log } = words;
  await ending.run();
  try {
    if (!app.isReady()) {
      words.stepAside();
      await app.whenReady();
    }
    if (await isWanted(dialog, title, detail, label)) {
      apply();
      startAgain(app);
    }
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
