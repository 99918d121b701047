import { isOn } from '../switches.ts';
import { say } from './desktop.ts';

interface Question {
  readonly message: string;
  readonly detail?: string;
  readonly buttons?: readonly string[];
  readonly cancelId?: number;
  readonly defaultId?: number;
}

/** What stands beside a box that Linux does not show. */
export const UNSEEN = 'no box: the app is not ready';

/** electron.dialog. A question is answered with its way out, or with the other one of two buttons. */
export function createDialog(isReady: () => boolean) {
  return {
    /** Before the app is ready Linux gets a line on stderr, and no box (electron/docs/api/dialog.md). */
    showErrorBox(title: string, content: string) {
      if (!isReady()) say(UNSEEN);
      say(`${title}\n${content}`);
    },
    showMessageBox(...args: unknown[]) {
      if (!isReady()) throw new Error('dialog module can only be used after app is ready');
      const { message, detail = '', buttons = ['OK'], cancelId, defaultId = 0 } = args.at(-1) as Question;
      if (buttons.length > 2 && isOn('other-button'))
        throw new Error('Of more than two buttons the stand-in presses the way out');
      const wayOut = cancelId ?? defaultId;
      const response = isOn('other-button') ? 1 - wayOut : wayOut;
      say(`${message}\n${detail}\n→ ${buttons[response] ?? 'OK'}`);
      return Promise.resolve({ response, checkboxChecked: false });
    },
  };
}
