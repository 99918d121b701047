import { resolve } from 'node:path';
import type { App } from 'electron';
import type { MenuOptions } from '../menu.ts';

/** Flags whose value is a path, which may be relative to where the app was started. */
const PATHS: readonly string[] = ['data', 'ready-file', 'key-file', 'tls-cert', 'tls-key'];

/**
 * Whether the app opens when its user signs in, with the same flags, so that it opens over the same data. Electron has no
 * such setting on Linux (electron/docs/api/app.md, setLoginItemSettings), where README.md has a unit for it, none on a Mac
 * for an app with flags, and an app that is not installed would open Electron alone. `key` names the data directory: each
 * has an entry of its own.
 */
export function loginSetting(
  app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>,
  { flags, key }: { readonly flags: readonly string[]; readonly key: string },
  platform: NodeJS.Platform = process.platform,
): MenuOptions['login'] {
  if (platform === 'linux' || !app.isPackaged) return null;
  if (flags.length === 0)
    return {
      isOn: app.getLoginItemSettings().openAtLogin,
      set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin }),
    };
  if (platform === 'darwin') return null;
  // Electron quotes them by itself (electron/shell/browser/browser_win.cc, FormatCommandLineString).
  const args = fromAnywhere(flags);
  const name = `Fieldbench ${key}`;
  return {
    // openAtLogin is of the entry without a name of its own, and an entry's args lack what begins with "-".
    isOn: app.getLoginItemSettings().launchItems.some((item) => item.name === name && item.enabled),
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args, name }),
  };
}

/** The same flags, whatever folder the app is started in. */
function fromAnywhere(flags: readonly string[]): string[] {
  return flags.map((flag, index) => {
    const [, name = '', value = ''] = /^--([\w-]+)=(.*)$/s.exec(flag) ?? [];
    if (PATHS.includes(name)) return `--${name}=${resolve(value)}`;
    const before = flags[index - 1] ?? '';
    return before.startsWith('--') && PATHS.includes(before.slice(2)) ? resolve(flag) : flag;
  });
}
