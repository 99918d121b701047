/** The channel between the window and the service; shared/bridge/wire.ts says what travels on it. */
export const CHANNEL = 'fieldbench';

/** Channel of outcomes of saved files, to a page. */
export const SAVED_CHANNEL = 'fieldbench-saved';
/** Channel on which a page asks for a reload. */
export const RELOAD_CHANNEL = 'fieldbench-reload';
/** Channel on which a page asks for another window, by its address. */
export const WINDOW_CHANNEL = 'fieldbench-window';
/** Channel of the theme chosen in a page. */
export const THEME_CHANNEL = 'fieldbench-theme';
/** Channel on which a page asks for files that the system gave the app to open, and gets them. */
export const FILES_CHANNEL = 'fieldbench-files';
/** Channel of Undo and Redo, to a page. */
export const UNDO_CHANNEL = 'fieldbench-undo';
