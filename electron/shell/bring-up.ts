import type { BrowserWindow } from 'electron';

/** Brings a window to the front, out of the taskbar too. */
export function bringUp(window: Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'focus'>): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
