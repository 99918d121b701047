import type { BaseWindow, MenuItemConstructorOptions } from 'electron';
import type { HelpItems } from './help/help-items.ts';

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly openData: () => void;
  /** Quits as `end/leave.ts` does. */
  readonly quit: () => void;
  /** Has the page of a window take back what was done last, or do it again. */
  readonly undo: (window: BaseWindow | undefined, direction: 'undo' | 'redo') => void;
  readonly help: HelpItems;
  /** Whether the app opens when its user signs in, and what changes that; null where the system has no such setting. */
  readonly login: { readonly isOn: boolean; readonly set: (isOn: boolean) => void } | null;
}

/** The menus that people of each system expect, made of the system's own items wherever there is one. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { platform, isPackaged, openData, quit, undo, login } = options;
  const { showAbout } = options.help;
  const isMac = platform === 'darwin';
  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      { label: 'Open Data &Folder', click: openData },
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
  return [
    ...(isMac ? [appMenu(showAbout, quit)] : []),
    file,
    editMenu(isMac, undo),
    view,
    { role: 'windowMenu' },
    helpMenu(options.help, isMac),
  ];
}

/** As the role's own, but for its first items: those know of what was typed alone, and not of a delete or a setting. */
const editMenu = (isMac: boolean, undo: MenuOptions['undo']): MenuItemConstructorOptions => ({
  role: 'editMenu',
  submenu: [
    { label: 'Undo', accelerator: 'CommandOrControl+Z', click: (_item, window) => undo(window, 'undo') },
    {
      label: 'Redo',
      accelerator: isMac ? 'Shift+Command+Z' : 'Control+Y',
      click: (_item, window) => undo(window, 'redo'),
    },
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

/** As the role's own, but for its first and last items. */
const appMenu = (showAbout: () => void, quit: () => void): MenuItemConstructorOptions => ({
  role: 'appMenu',
  submenu: [
    about(showAbout),
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

/** On a Mac the app's own menu says which app it is. */
const helpMenu = (help: HelpItems, isMac: boolean): MenuItemConstructorOptions => ({
  role: 'help',
  submenu: [
    { label: 'Fieldbench &Documentation', click: help.openDocs },
    { label: 'L&icences', click: help.openLicences },
    { type: 'separator' },
    { label: 'Show &Log', click: help.showLog },
    { label: 'Show &Crash Dumps', click: help.showDumps },
    ...(help.checkForUpdates
      ? ([
          { type: 'separator' },
          { label: 'Check for &Updates…', click: help.checkForUpdates },
        ] satisfies MenuItemConstructorOptions[])
      : []),
    ...(isMac ? [] : ([{ type: 'separator' }, about(help.showAbout)] satisfies MenuItemConstructorOptions[])),
  ],
});

const about = (click: () => void): MenuItemConstructorOptions => ({ label: '&About Fieldbench', click });

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
