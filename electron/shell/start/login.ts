import type { App } from 'electron';
import type { MenuOptions } from '../menu.ts';

/**
 * Whether the app opens when its user signs in. Electron has no such setting on Linux (electron/docs/api/app.md,
 * setLoginItemSettings), where README.md has a unit for it, and an app that is not installed would open Electron alone.
 */
export function loginSetting(
  app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>,
  platform: NodeJS.Platform = process.platform,
): MenuOptions['login'] {
  if (platform === 'linux' || !app.isPackaged) return null;
  return {
    isOn: app.getLoginItemSettings().openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin }),
  };
}
