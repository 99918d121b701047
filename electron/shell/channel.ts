/** The channel between the window and the service; shared/wire.ts says what travels on it. */
export const CHANNEL = 'fieldbench';

/** On which a page hears what became of a file that it gave to be saved. */
export const SAVED_CHANNEL = 'fieldbench-saved';
