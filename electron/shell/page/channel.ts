/** The channel between the window and the service; shared/bridge/wire.ts says what travels on it. */
export const CHANNEL = 'fieldbench';

/** On which a page hears what became of a file that it gave to be saved. */
export const SAVED_CHANNEL = 'fieldbench-saved';
/** On which a page asks to be loaded anew. */
export const RELOAD_CHANNEL = 'fieldbench-reload';
/** On which a page asks for another window, by the address that it is to show. */
export const WINDOW_CHANNEL = 'fieldbench-window';
/** On which a page says which theme was chosen in it. */
export const THEME_CHANNEL = 'fieldbench-theme';
/** On which a page asks for the files that the system gave the app to open, and hears of them. */
export const FILES_CHANNEL = 'fieldbench-files';
/** On which a page hears that what was done last is to be taken back. */
export const UNDO_CHANNEL = 'fieldbench-undo';
