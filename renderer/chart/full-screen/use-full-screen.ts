import { useEffect, useState } from 'react';
import { coverSidebar } from '../../stores/sidebar.ts';

export interface FullScreen {
  readonly isFull: boolean;
  readonly toggle: () => void;
}

/**
 * Gives a chart all of the screen, or all of the window where the system does not. It is the page that goes full screen,
 * not the chart alone: menus and dialogs stand beside it in the page. Esc leaves.
 */
export function useFullScreen(): FullScreen {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    if (!isFull) return;
    coverSidebar(true);
    // Where it is refused, the chart fills the window: that is what Esc below is for.
    document.documentElement.requestFullscreen().catch(() => undefined);
    const leave = () => {
      if (document.fullscreenElement === null) setFull(false);
    };
    const onKey = (event: KeyboardEvent) => {
      const isTaken = (event.target as Element).closest('[role="dialog"], [role="menu"], [role="listbox"]');
      if (event.key === 'Escape' && !event.defaultPrevented && !isTaken) setFull(false);
    };
    document.addEventListener('fullscreenchange', leave);
    document.addEventListener('keydown', onKey);
    return () => {
      coverSidebar(false);
      document.removeEventListener('fullscreenchange', leave);
      document.removeEventListener('keydown', onKey);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, [isFull]);
  return { isFull, toggle: () => setFull(!isFull) };
}
