import type { BaseWindow, MenuItemConstructorOptions } from 'electron';

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly openData: () => void;
  readonly showLog: () => void;
  /** Quits as `end/leave.ts` does. */
  readonly quit: () => void;
  /** Has the page of a window take back what was done last. */
  readonly undo: (window: BaseWindow | undefined) => void;
  /** Opens the documentation. */
  readonly openDocs: () => void;
  /** Whether the app opens when its user signs in, and what changes that; null where the system has no such setting. */
  readonly login: { readonly isOn: boolean; readonly set: (isOn: boolean) => void } | null;
}

/** The menus that people of each system expect, made of the system's own items wherever there is one. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { platform, isPackaged, openData, showLog, quit, undo, openDocs, login } = options;
  const isMac = platform === 'darwin';
  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      { label: 'Open Data &Folder', click: openData },
      { label: 'Show &Log', click: showLog },
      { type: 'separator' },
      ...(login
        ? ([
            {
              label: 'Open at &Login',
              type: 'checkbox',
              checked: login.isOn,
              click: ({ checked }) => login.set(checked),
            },
            { type: 'separator' },
          ] satisfies MenuItemConstructorOptions[])
        : []),
      isMac ? { role: 'close' } : leaving(platform, quit),
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      ...ZOOM_KEYS.map(([role, accelerator]) => ({ role, accelerator, visible: false })),
      { type: 'separator' },
      { role: 'togglefullscreen' },
      // For those who work on the app: a reload would drop what the page is doing.
      ...(isPackaged
        ? []
        : ([{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }] as const)),
    ],
  };
  const help: MenuItemConstructorOptions = {
    role: 'help',
    submenu: [
      { label: 'Fieldbench &Documentation', click: openDocs },
      ...(isMac ? [] : [{ role: 'about' } as const]),
    ],
  };
  return [...(isMac ? [appMenu(quit)] : []), file, editMenu(isMac, undo), view, { role: 'windowMenu' }, help];
}

/** As the role's own, but for its first item: that knows of what was typed alone, and not of a delete. */
const editMenu = (isMac: boolean, undo: MenuOptions['undo']): MenuItemConstructorOptions => ({
  role: 'editMenu',
  submenu: [
    { label: 'Undo', accelerator: 'CommandOrControl+Z', click: (_item, window) => undo(window) },
    { role: 'redo' },
    { type: 'separator' },
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    ...(isMac
      ? ([
          { role: 'pasteAndMatchStyle' },
          { role: 'delete' },
          { role: 'selectAll' },
          { type: 'separator' },
          { label: 'Speech', submenu: [{ role: 'startSpeaking' }, { role: 'stopSpeaking' }] },
        ] satisfies MenuItemConstructorOptions[])
      : ([
          { role: 'delete' },
          { type: 'separator' },
          { role: 'selectAll' },
        ] satisfies MenuItemConstructorOptions[])),
  ],
});

/** As the role's own, but for its last item. */
const appMenu = (quit: () => void): MenuItemConstructorOptions => ({
  role: 'appMenu',
  submenu: [
    { role: 'about' },
    { type: 'separator' },
    { role: 'services' },
    { type: 'separator' },
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    { type: 'separator' },
    { label: 'Quit Fieldbench', accelerator: 'Command+Q', click: quit },
  ],
});

/** Electron's own role would quit without a question. */
const leaving = (platform: NodeJS.Platform, quit: () => void): MenuItemConstructorOptions =>
  platform === 'win32'
    ? { label: 'E&xit', click: quit }
    : { label: '&Quit', accelerator: 'CommandOrControl+Q', click: quit };

/** Electron's key for "larger" is Plus, which on most keyboards needs Shift; browsers take these as well. */
const ZOOM_KEYS = [
  ['zoomIn', 'CommandOrControl+='],
  ['zoomIn', 'CommandOrControl+numadd'],
  ['zoomOut', 'CommandOrControl+numsub'],
] as const;
