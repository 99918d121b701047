import { create } from 'zustand';

interface Tray {
  readonly open: boolean;
  /** Element focused before, which gets the focus back. */
  readonly opener: Element | null;
}

/** Whether the jobs tray is open. */
export const useTray = create<Tray>(() => ({ open: false, opener: null }));

export const openTray = () => useTray.setState({ open: true, opener: document.activeElement });
export const closeTray = () => useTray.setState({ open: false });
