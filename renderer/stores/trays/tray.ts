import { useEffect } from 'react';
import { create } from 'zustand';

export interface Tray {
  readonly open: boolean;
  /** Element focused before, which gets the focus back. */
  readonly opener: Element | null;
}

/** A list that slides in beside the screen: whether it is open, and who opened it. */
export function createTray() {
  const useTray = create<Tray>(() => ({ open: false, opener: null }));
  return {
    useTray,
    open: () => useTray.setState({ open: true, opener: document.activeElement }),
    close: () => useTray.setState({ open: false }),
    /** Gives the focus back once it is closed. It is in the document only when it is open already: Mantine would not know what had it. */
    useFocusBack: () => {
      const { open, opener } = useTray();
      useEffect(() => {
        if (!open && opener instanceof HTMLElement) opener.focus();
      }, [open, opener]);
    },
  };
}
