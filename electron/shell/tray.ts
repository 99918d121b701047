import { Menu, Tray, type App, type BrowserWindow } from 'electron';

/**
 * An icon of the app among those of the desktop, as long as no window is there. Not every desktop shows one (GNOME by
 * itself does not): a second start brings up the window as well. Returns what shows it.
 */
export function createTray({
  app,
  icon,
  show,
  quit,
}: {
  readonly app: Pick<App, 'on'>;
  /** A PNG. */
  readonly icon: string;
  readonly show: () => void;
  readonly quit: () => void;
}): () => void {
  let tray: Tray | null = null;
  const hide = () => {
    tray?.destroy();
    tray = null;
  };
  app.on('browser-window-created', (_event, window: BrowserWindow) => window.on('show', hide));
  return () => {
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
  };
}
