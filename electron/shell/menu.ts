import { app, Menu, shell, type MenuItemConstructorOptions } from 'electron';

const isMac = process.platform === 'darwin';

/** The menus that people of each system expect, made of the system's own items wherever there is one. */
export function installMenu({ dataDirectory }: { readonly dataDirectory: string }): void {
  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      { label: 'Open Data &Folder', click: () => void shell.openPath(dataDirectory) },
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
      ...(app.isPackaged
        ? []
        : ([{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }] as const)),
    ],
  };
  const help: MenuItemConstructorOptions = { role: 'help', submenu: [{ role: 'about' }] };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ role: 'appMenu' } as const] : []),
      file,
      { role: 'editMenu' },
      view,
      { role: 'windowMenu' },
      ...(isMac ? [] : [help]),
    ]),
  );
}
