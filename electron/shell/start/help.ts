import type { App, Dialog } from 'electron';
import { SERVE_FLAGS_HELP } from '#core/cli/flags.ts';
import { VERSION } from '#core/base/version.ts';

/** Shows the flags: on stdout, or in a box where an installed program of Windows has none. Then ends the app. */
export async function showHelp(
  app: Pick<App, 'exit' | 'isPackaged' | 'whenReady'>,
  dialog: Pick<Dialog, 'showMessageBox'>,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (platform === 'win32' && app.isPackaged) {
    await app.whenReady();
    await dialog.showMessageBox({
      type: 'info',
      title: 'Fieldbench',
      message: `Fieldbench ${VERSION}`,
      detail: SERVE_FLAGS_HELP,
      buttons: ['OK'],
    });
  } else process.stdout.write(`Fieldbench ${VERSION}\n\n${SERVE_FLAGS_HELP}\n`);
  app.exit(0);
}
