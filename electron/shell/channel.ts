/** The only channel between the window and the main process; shared/wire.ts says what travels on it. */
export const CHANNEL = 'fieldbench';
