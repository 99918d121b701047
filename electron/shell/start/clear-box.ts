import type { App, Dialog, MessageBoxOptions } from 'electron';

/** Parts of Electron with which a program asks that has no terminal. */
export interface Boxes {
  readonly app: Pick<App, 'isPackaged' | 'whenReady'>;
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
}

/** Flags with which `fieldbench clear` asks nothing. */
const ANSWERED = new Set(['--yes', '--json', '--help', '-h']);

/** Whether words are a `clear` that asks, of an installed program of Windows: what is typed at a terminal does not reach that. */
export const asksInBox = (
  [command, ...flags]: readonly string[],
  { isPackaged }: Pick<App, 'isPackaged'>,
  platform: NodeJS.Platform = process.platform,
): boolean =>
  platform === 'win32' && isPackaged && command === 'clear' && !flags.some((flag) => ANSWERED.has(flag));

const BUTTONS = ['Remove', 'Keep'] as const;

/**
 * Runs `fieldbench clear` with boxes: what would go and the question, then that it is gone, or why not. Resolves with the exit
 * code. Never rejects because of what the command meets.
 */
export async function clearInBox(flags: readonly string[], { app, dialog }: Boxes): Promise<number> {
  const [{ clearIf }, { failureOf }] = await Promise.all([
    import('#core/cli/clear.ts'),
    import('#core/cli/command-line.ts'),
  ]);
  await app.whenReady();
  let lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const box = async (options: MessageBoxOptions) => {
    const detail = lines.join('\n');
    lines = [];
    const { response } = await dialog.showMessageBox({
      title: 'Fieldbench',
      detail,
      noLink: true,
      ...options,
    });
    return response;
  };
  const agree = async (message: string) =>
    BUTTONS[await box({ type: 'warning', message, buttons: [...BUTTONS], defaultId: 1, cancelId: 1 })] ===
    'Remove';
  try {
    const code = await clearIf(agree, flags, { print, remark: print });
    // The answer Keep needs no further box.
    if (code === 0) await box({ type: 'info', message: lines.pop() ?? '', buttons: ['OK'] });
    return code;
  } catch (error) {
    const { message, exit_code } = failureOf(error);
    lines = [];
    await box({ type: 'error', message, buttons: ['OK'] });
    return exit_code;
  }
}
