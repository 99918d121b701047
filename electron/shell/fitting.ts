import type { Rectangle, Size } from 'electron';

/** The size of a window on a display: where that is small, or its pixels are drawn larger, no part lies behind the taskbar. */
export const fitting = ({ width, height }: Size, area: Rectangle): Size => ({
  width: Math.min(width, area.width),
  height: Math.min(height, area.height),
});
