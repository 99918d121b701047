import type { MenuItemConstructorOptions } from 'electron';

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly openData: () => void;
  readonly showLog: () => void;
}

/** The menus that people of each system expect, made of the system's own items wherever there is one. */
export function menuTemplate({
  platform,
  isPackaged,
  openData,
  showLog,
}: MenuOptions): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      { label: 'Open Data &Folder', click: openData },
      { label: 'Show &Log', click: showLog },
      { type: 'separator' },
      { role: isMac ? 'close' : 'quit' },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      // For those who work on the app: a reload would drop what the page is doing.
      ...(isPackaged
        ? []
        : ([{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }] as const)),
    ],
  };
  const help: MenuItemConstructorOptions = { role: 'help', submenu: [{ role: 'about' }] };
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    file,
    { role: 'editMenu' },
    view,
    { role: 'windowMenu' },
    ...(isMac ? [] : [help]),
  ];
}
