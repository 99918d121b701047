import { createTray } from '../../stores/trays/tray.ts';

const tray = createTray();

/** Whether the jobs tray is open. */
export const { useTray } = tray;
export const openTray = tray.open;
export const closeTray = tray.close;
export const useTrayFocus = tray.useFocusBack;
