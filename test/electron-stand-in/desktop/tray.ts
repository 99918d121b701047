import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { say } from './desktop.ts';
import type { Menu } from './menu.ts';

/** electron.Tray: an icon in the desktop's bar. That a desktop shows one is another matter: GNOME by itself does not. */
export class Tray extends EventEmitter {
  static readonly shown = new Set<Tray>();
  menu: Menu | null = null;

  constructor(icon: string) {
    super();
    if (!existsSync(icon)) throw new Error(`Failed to load image from path '${icon}'`);
    Tray.shown.add(this);
    say('a tray icon is shown');
  }

  setToolTip(text: string): void {
    if (text === '') throw new Error('A tray icon without a word');
  }

  setContextMenu(menu: Menu | null): void {
    this.menu = menu;
  }

  isDestroyed(): boolean {
    return !Tray.shown.has(this);
  }

  destroy(): void {
    Tray.shown.delete(this);
    say('the tray icon is gone');
  }
}
