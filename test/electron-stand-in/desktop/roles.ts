/** A window whose key or menu was used, as far as roles act on it. */
export interface InWindow {
  readonly app: { quit(): void };
  readonly window: { close(): void };
  readonly contents: { zoomLevel: number; reload(): void };
}

export interface Role {
  readonly accelerator?: string;
  readonly act?: (at: InWindow) => void;
  readonly submenu?: readonly string[];
}

const editing = ['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectall'];

/**
 * The roles of menu items, in small letters, with their keys on Linux (electron/lib/browser/api/menu-item-roles.ts). Those
 * of editing act by Chromium's own keys here; what needs a window manager does nothing.
 */
export const ROLES: Readonly<Record<string, Role>> = {
  about: {},
  close: { accelerator: 'CommandOrControl+W', act: ({ window }) => window.close() },
  copy: {},
  cut: {},
  delete: {},
  forcereload: { accelerator: 'Shift+CmdOrCtrl+R', act: ({ contents }) => contents.reload() },
  front: {},
  help: {},
  hide: { accelerator: 'Command+H' },
  hideothers: { accelerator: 'Command+Alt+H' },
  minimize: { accelerator: 'CommandOrControl+M' },
  paste: {},
  pasteandmatchstyle: {},
  quit: { accelerator: 'CommandOrControl+Q', act: ({ app }) => app.quit() },
  redo: { accelerator: 'Shift+CommandOrControl+Z' },
  reload: { accelerator: 'CmdOrCtrl+R', act: ({ contents }) => contents.reload() },
  resetzoom: { accelerator: 'CommandOrControl+0', act: ({ contents }) => (contents.zoomLevel = 0) },
  selectall: { accelerator: 'CommandOrControl+A' },
  services: {},
  startspeaking: {},
  stopspeaking: {},
  toggledevtools: { accelerator: 'Ctrl+Shift+I' },
  togglefullscreen: { accelerator: 'F11' },
  undo: { accelerator: 'CommandOrControl+Z' },
  unhide: {},
  window: {},
  zoom: {},
  zoomin: { accelerator: 'CommandOrControl+Plus', act: ({ contents }) => (contents.zoomLevel += 0.5) },
  zoomout: { accelerator: 'CommandOrControl+-', act: ({ contents }) => (contents.zoomLevel -= 0.5) },
  appmenu: { submenu: ['about', 'services', 'hide', 'hideothers', 'unhide', 'quit'] },
  filemenu: { submenu: ['quit'] },
  editmenu: { submenu: editing },
  viewmenu: {
    submenu: [
      'reload',
      'forcereload',
      'toggledevtools',
      'resetzoom',
      'zoomin',
      'zoomout',
      'togglefullscreen',
    ],
  },
  windowmenu: { submenu: ['minimize', 'zoom', 'close'] },
};
