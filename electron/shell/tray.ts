import { Menu, Tray } from 'electron';

export interface TrayIcon {
  readonly show: () => void;
  readonly hide: () => void;
}

/**
 * An icon of the app among those of the desktop, for as long as no window is there. Not every desktop shows one (GNOME by
 * itself does not): a second start brings up the window as well.
 */
export function createTray({
  icon,
  show,
  quit,
}: {
  /** A PNG. */
  readonly icon: string;
  readonly show: () => void;
  readonly quit: () => void;
}): TrayIcon {
  let tray: Tray | null = null;
  return {
    hide() {
      tray?.destroy();
      tray = null;
    },
    show() {
      if (tray) return;
      tray = new Tray(icon);
      tray.setToolTip('Fieldbench');
      tray.on('click', show);
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: 'Open Fieldbench', click: show },
          { type: 'separator' },
          { label: 'Quit', click: quit },
        ]),
      );
    },
  };
}
