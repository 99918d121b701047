import { join } from 'node:path';
import type { App } from 'electron';

/** Id by which Windows groups the app's windows with its pinned icon; an installer gives its shortcut the same. */
export const APP_USER_MODEL_ID = 'Fieldbench.Fieldbench';

type Named = Pick<App, 'setName' | 'setAppUserModelId'>;

/** Sets the app's identity on its desktop; on Linux `desktopName` of package.json says which .desktop file is its own. */
export function introduce(app: Named, platform: NodeJS.Platform = process.platform): void {
  app.setName('Fieldbench');
  // Electron sets one of its own, by which a pinned icon and a running window are two things.
  if (platform === 'win32') app.setAppUserModelId(APP_USER_MODEL_ID);
}

/**
 * The window's icon where the system does not take it from the program: icon.svg beside it, drawn at 256 pixels
 * (npm run icons). `rendererDirectory` holds the built page.
 */
export const iconIn = (rendererDirectory: string) => join(rendererDirectory, 'icon.png');
