import { createTray } from './tray.ts';

/** Whether the list of alerts is open. */
export const alertsTray = createTray();
